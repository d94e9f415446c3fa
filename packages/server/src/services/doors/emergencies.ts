import { isDeepStrictEqual } from 'node:util'
import {
  type ChangesOf,
  invalid,
  type NewOf,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { endEmergency } from '../../doors/end-emergency.ts'
import {
  findRunning,
  holdEmergencies,
  type Planned,
  plannedBy,
  settleStart,
} from '../../doors/start-emergency.ts'
import { present } from '../../flow/present.ts'
import { findObject } from '../../store/find.ts'
import type { InputOf } from '../objects/action.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'
import { beyondSites } from '../roles/bounds.ts'
import { checkPlanned } from './emergency-plans.ts'
import { checkUntil } from './until.ts'

type Emergency = Resources['emergency']
type New = NewOf<Emergency>
type Given = ChangesOf<Emergency>

export const emergencyBehaviour = behaviour('emergency', {
  /** Of two people who start a plan because of the same thing, the second gets what the first has started. */
  async findSame(work, values, given) {
    const { emergency_plan_id, metadata } = given
    const isPlain =
      metadata === undefined && !values.replaces?.length && !ofPlans.some(name => given[name] !== undefined)
    if (!emergency_plan_id || !isPlain) return undefined
    await holdEmergencies(work)
    const running = await findRunning(work, emergency_plan_id)
    if (running.length === 0) return undefined
    const plan = await findPlan(work, emergency_plan_id)
    const ends_at = endOf(work, values, values.ends_after_seconds ?? plan.ends_after_seconds)
    return running.find(
      one => one.is_drill === values.is_drill && isAsPlanned(one, plan) && lasts(one, ends_at),
    )
  },
  /** Answers as soon as it is committed, and never waits for doors. */
  async beforeCreate(work, values, given) {
    if (work.caller.bounds && given.targets?.tag_ids?.length)
      throw beyondSites('a tag may be on doors of other sites; name sites or doors')
    await holdEmergencies(work)
    const plan = given.emergency_plan_id ? await findPlan(work, given.emergency_plan_id) : undefined
    const planned = plan ? onlyPlanned(given, plannedBy(plan)) : await inline(work, values, given)
    const after = values.ends_after_seconds ?? plan?.ends_after_seconds ?? null
    return {
      ...(await settleStart(work, planned, values.replaces ?? [])),
      ends_at: endOf(work, values, after),
    }
  },
})

async function findPlan({ db, caller }: Work, id: string): Promise<StoredOf<Resources['emergency_plan']>> {
  const { organization_id } = caller
  return present(await findObject(db, resources.emergency_plan, { organization_id }, id), `plan ${id}`)
}

function isAsPlanned(running: Planned, plan: Planned): boolean {
  const [one, other] = [running, plan].map(planned => ({ ...plannedBy(planned), name: '' }))
  return isDeepStrictEqual(one, other)
}

/** Seconds. Nobody means another emergency by starting the same plan so shortly afterwards. */
const sameMoment = 10

function lasts(running: { readonly ends_at: string | null }, until: string | null): boolean {
  if (running.ends_at === null) return true
  return until !== null && until <= addSeconds(running.ends_at, sameMoment)
}

const ofPlans = [
  'name',
  'type',
  'targets',
  'exempt_member_group_ids',
  'unlocked_gadget_ids',
  'offline_hold_seconds',
] as const

function onlyPlanned(given: Given, planned: Planned): Planned {
  const own = ofPlans.find(name => given[name] !== undefined)
  if (own) throw invalid(own, `${own} must be absent: emergency_plan_id says it`)
  return planned
}

const names = { lockdown: 'Lockdown', evacuation: 'Evacuation' }

async function inline(work: Work, values: New, { name, type, targets }: Given): Promise<Planned> {
  if (!type || !targets)
    throw invalid(
      type ? 'targets' : 'type',
      `${type ? 'targets is' : 'type is'} required: give emergency_plan_id, or type and targets`,
    )
  const { exempt_member_group_ids, unlocked_gadget_ids, offline_hold_seconds } = values
  const planned = {
    name: name ?? names[type],
    type,
    targets,
    exempt_member_group_ids,
    unlocked_gadget_ids,
    offline_hold_seconds,
  }
  await checkPlanned(work, planned)
  return planned
}

function endOf({ now }: Work, { ends_at, ends_after_seconds }: New, after: number | null): string | null {
  if (ends_at === null) return after === null ? null : addSeconds(now, after)
  if (ends_after_seconds != null)
    throw invalid('ends_after_seconds', 'ends_after_seconds must be absent: ends_at says when it ends')
  checkUntil('ends_at', ends_at, now)
  return ends_at
}

/** `POST /emergencies/{id}/end` */
export async function endNow({ work, target, id, readBody }: InputOf<'emergency', 'end'>) {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const emergency = await getObject(inner, target, id, true)
    const { reason } = readBody()
    return endEmergency(inner, emergency, reason ?? null)
  })
}
