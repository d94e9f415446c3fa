import {
  type BodyOf,
  invalid,
  noneErased,
  RequestError,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { countEvents } from '../../erasing/erase-events.ts'
import { countRows, type MemberKey } from '../../erasing/erase-rows.ts'
import { isMemberHeld } from '../../erasing/holds.ts'
import { present } from '../../flow/present.ts'
import { findObject } from '../../store/find.ts'
import { newId } from '../../store/ids.ts'
import { insertObject } from '../../store/write.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { erased } from '../objects/credentials.ts'
import { getObject, notFound } from '../objects/objects.ts'
import { beginErasure, findHeld, type Held } from './begin.ts'
import { type Erasure, findErasure, moveErasure } from './change-erasure.ts'
import { describeDevices, findHolding, findPending } from './holding-devices.ts'

type Given = Omit<BodyOf<NonNullable<Resources['erasure']['actions']>['create']>, 'member_id'>
type Asked = Omit<Given, 'reason'> & { readonly reason?: Answered['reason'] }
type Answered = StoredOf<Resources['erasure']>
type Brief = Pick<Answered, 'id' | 'member_id' | 'state' | 'scheduled_at' | 'counts'>

/** `POST /erasures` */
export async function createErasure({
  work,
  query,
  readBody,
}: InputOf<'erasure', 'create'>): Promise<Answered> {
  const { member_id, ...asked } = readBody()
  const { organization_id } = work.caller
  if (!(await findObject(work.db, resources.member, { organization_id }, member_id)))
    throw invalid('member_id', `member_id: there is no member ${member_id}`)
  return erase(work, member_id, asked, query.dry_run === true)
}

/** `POST /members/{id}/erase` */
export async function eraseMember({
  work,
  target,
  id,
  query,
  readBody,
}: InputOf<'member', 'erase'>): Promise<Brief> {
  await getObject(work, target, id)
  const erasure = await erase(work, id, readBody(), query.dry_run === true)
  const { member_id, state, scheduled_at, counts } = erasure
  return { id: erasure.id, member_id, state, scheduled_at, counts }
}

async function erase(work: Work, member_id: string, asked: Asked, isDryRun: boolean): Promise<Answered> {
  const member = { organization_id: work.caller.organization_id, member_id }
  checkTime(work.now, asked.scheduled_at)
  if (isDryRun) return preview(work, member, asked)
  // Outside of the transaction that locks the member.
  const held = await findHeld(work.context, member)
  return work.db.transaction(db => start({ ...work, db }, member, asked, held))
}

/** Erases a deleted member whose time is over. */
export async function eraseExpired(work: Work, member_id: string): Promise<void> {
  const member = { organization_id: work.caller.organization_id, member_id }
  const held = await findHeld(work.context, member)
  await work.db.transaction(db => start({ ...work, db }, member, { reason: 'retention' }, held))
}

async function start(work: Work, member: MemberKey, asked: Asked, held: Held): Promise<Answered> {
  const { db, now, caller } = work
  const [row] = await db.query<{ erased_at: string | null }>(
    'SELECT erased_at FROM members WHERE organization_id = $1 AND id = $2 FOR UPDATE',
    [member.organization_id, member.member_id],
  )
  const open = await findOpen(work, member)
  if (open) return answer(open)
  if (row?.erased_at) throw erased('member', member.member_id)
  if (asked.reason !== 'retention') await requirePace(work)
  const made = await insertObject(work, resources.erasure, {
    ...drafted(work, member, asked),
    id: newId('erasure', now),
    stage: 'rows',
    device_ids: [],
    card_ids: [],
    worked_at: null,
  })
  const erasure = present(await findErasure(db, caller.organization_id, made.id), 'the new erasure')
  if (erasure.scheduled_at > now) return answer(erasure)
  return answer(await beginErasure(work.context, work, erasure, held))
}

function drafted(work: Work, { organization_id, member_id }: MemberKey, asked: Asked) {
  return {
    organization_id,
    member_id,
    state: 'scheduled' as const,
    scheduled_at: asked.scheduled_at ?? work.now,
    events: asked.events ?? ('unlink' as const),
    includes_cards: asked.includes_cards ?? false,
    reason: asked.reason ?? ('request' as const),
    reference: asked.reference ?? null,
    counts: noneErased,
    receipt_hash: null,
    backups_clear_at: null,
    started_at: null,
    finished_at: null,
    is_deleted: false,
    created_at: work.now,
  }
}

const longestWait = 30 * 86_400

function checkTime(now: string, scheduled_at: string | undefined): void {
  if (scheduled_at !== undefined && scheduled_at > addSeconds(now, longestWait))
    throw invalid('scheduled_at', `scheduled_at ${scheduled_at} is more than 30 days ahead`)
}

async function preview(work: Work, member: MemberKey, asked: Asked): Promise<Answered> {
  const found = await findObject(
    work.db,
    resources.member,
    { organization_id: member.organization_id },
    member.member_id,
  )
  if (found?.erased_at) throw erased('member', member.member_id)
  const { db, now } = work
  const devices = (await findHolding(db, member)).length
  const { objects, files } = await countRows(db, member)
  return {
    ...drafted(work, member, asked),
    id: newId('erasure', now),
    state: (await isMemberHeld(db, member, now)) ? 'blocked' : 'scheduled',
    counts: {
      ...noneErased,
      objects: 1 + objects,
      files,
      events: await countEvents(db, member),
      devices,
    },
  }
}

async function findOpen({ db, caller }: Work, { member_id }: MemberKey): Promise<Erasure | undefined> {
  const [row] = await db.query<{ id: string }>(
    `SELECT id FROM erasures WHERE organization_id = $1 AND member_id = $2 AND state NOT IN ('done', 'canceled')`,
    [caller.organization_id, member_id],
  )
  return row && findErasure(db, caller.organization_id, row.id)
}

const mostPerMinute = 100

async function requirePace({ db, caller, now }: Work): Promise<void> {
  const rows = await db.query(
    `SELECT 1 FROM erasures WHERE organization_id = $1 AND NOT is_deleted AND created_at > $2 AND reason <> 'retention' LIMIT $3`,
    [caller.organization_id, addSeconds(now, -60), mostPerMinute],
  )
  if (rows.length < mostPerMinute) return
  throw new RequestError(
    'rate_limited',
    `an organization can begin ${mostPerMinute} erasures a minute; try again`,
    {
      headers: { 'retry-after': '60' },
    },
  )
}

function answer(erasure: Erasure): Answered {
  const { stage: _stage, device_ids: _devices, card_ids: _cards, worked_at: _worked, ...shown } = erasure
  return shown
}

/** `POST /erasures/{id}/cancel` */
export async function cancelErasure({ work, id, readBody }: InputOf<'erasure', 'cancel'>): Promise<Answered> {
  return work.db.transaction(async db => {
    const erasure = await findErasure(db, work.caller.organization_id, id)
    if (!erasure) throw notFound(resources.erasure)
    readBody()
    if (erasure.state === 'canceled') return answer(erasure)
    if (erasure.started_at !== null || (erasure.state !== 'scheduled' && erasure.state !== 'blocked'))
      throw invalid('state', `the erasure ${id} is ${erasure.state}: it has begun, and cannot be canceled`)
    const changes = { state: 'canceled', finished_at: work.now } as const
    return answer((await moveErasure({ ...work, db }, erasure, changes)).erasure)
  })
}

/** `GET /erasures/{id}/devices` */
export async function listErasureDevices({ work, target, id }: InputOf<'erasure', 'devices'>) {
  await getObject(work, target, id)
  const { organization_id } = work.caller
  const [row] = await work.db.query<{ member_id: string; device_ids: string[]; state: string }>(
    'SELECT member_id, device_ids, state FROM erasures WHERE organization_id = $1 AND id = $2',
    [organization_id, id],
  )
  const { member_id, device_ids, state } = present(row, `erasure ${id}`)
  const pending =
    state === 'done' ? [] : await findPending(work.db, { organization_id, member_id }, device_ids)
  const data = await describeDevices(work.db, organization_id, pending.slice(0, 100))
  return { data, count: pending.length }
}
