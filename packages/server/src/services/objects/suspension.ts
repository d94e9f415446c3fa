import { invalid, type Resource, resources } from '@gatehouse-access/api'
import { eachApart } from '../../flow/each-apart.ts'
import { serviceCaller } from '../../store/caller.ts'
import { findObject } from '../../store/find.ts'
import { updateObject } from '../../store/write.ts'
import type { Context } from './context.ts'

interface Suspension {
  readonly is_suspended: boolean
  readonly suspended_until: string | null
  readonly suspended_reason: string | null
}

const lifted = { is_suspended: false, suspended_until: null, suspended_reason: null } as const

/** An end and a reason belong to a suspension: they need one, and go with it. */
export function settleSuspension(
  after: Suspension,
  before: Suspension | undefined,
  now: string,
): Partial<Suspension> {
  const { is_suspended, suspended_until } = after
  const isOther = (name: 'suspended_until' | 'suspended_reason') =>
    after[name] !== null && after[name] !== (before?.[name] ?? null)
  if (!is_suspended) {
    for (const name of ['suspended_until', 'suspended_reason'] as const)
      if (isOther(name))
        throw invalid(name, `${name} can be set only together with "is_suspended": true, or while it is true`)
    return before?.is_suspended ? lifted : {}
  }
  if (isOther('suspended_until') && suspended_until !== null && suspended_until <= now)
    throw invalid('suspended_until', `suspended_until ${suspended_until} must be in the future`)
  return {}
}

const suspendable = [
  ['members', resources.member],
  ['member_emails', resources.member_email],
  ['member_magic_links', resources.member_magic_link],
  ['member_pins', resources.member_pin],
  ['member_cards', resources.member_card],
  ['member_tokens', resources.member_token],
  ['devices', resources.device],
] as const

const batch = 200

/**
 * Lifts suspensions whose end has passed. Doors go by the end itself; this is for lists, for people who read
 * them, and for controllers that were not sent what was suspended.
 */
export async function endSuspensions(context: Context): Promise<void> {
  await eachApart(suspendable, async ([table, resource]) => {
    const due = await context.db.query<{ organization_id: string; id: string }>(
      `SELECT organization_id, id FROM ${table} t WHERE is_suspended AND suspended_until <= $1
         AND NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = t.organization_id)
       ORDER BY suspended_until LIMIT ${batch}`,
      [context.clock.now()],
    )
    await eachApart(due, ({ organization_id, id }) => lift(context, resource, organization_id, id))
  })
}

/** Somebody may have suspended it anew meanwhile: that stays. */
function lift(context: Context, resource: Resource, organization_id: string, id: string): Promise<void> {
  return context.db.transaction(async db => {
    const now = context.clock.now()
    const row = await findObject(db, resource, { organization_id }, id, { lock: true })
    if (!row?.is_suspended || typeof row.suspended_until !== 'string' || row.suspended_until > now) return
    await updateObject({ db, caller: serviceCaller(organization_id), now }, resource, row, lifted)
  })
}
