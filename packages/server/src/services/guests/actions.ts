import { RequestError, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { greatCircleDistance, isUntold } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import { issuePass } from '../../devices/policy/passes.ts'
import { present } from '../../flow/present.ts'
import { findObject } from '../../store/find.ts'
import { logObject } from '../../store/write.ts'
import { findGadget, runForMember } from '../access/gadget-actions.ts'
import { revealPin } from '../members/member-pins.ts'
import type { Work } from '../objects/context.ts'
import { notFound } from '../objects/objects.ts'
import { usableGadgets } from './home.ts'
import type { GuestSession } from './sessions.ts'

interface Location {
  readonly lat: number
  readonly lng: number
}

/** Runs an action from a member's phone. Decides by credential, so that a revoked one is reported as such. */
export async function runGuestAction(
  work: Work,
  guest: GuestSession,
  gadget_id: string,
  action_id: string,
  location: Location | undefined,
): Promise<void> {
  const gadget = await findGadget(work, gadget_id, action_id)
  const question = {
    credential_id: credentialOf(guest),
    gadget_id,
    action_id,
    access_method: 'online',
    location: location ?? null,
  } as const
  await runForMember(work, gadget, question, work.caller.subject()).catch(error => {
    refuseUntold(error)
    return addDistance(work, gadget, location, error)
  })
}

/** The event has the true reason. The member reads neither it nor when it ends. */
function refuseUntold(error: unknown): void {
  if (error instanceof RequestError && isUntold(error.args.reason))
    throw new RequestError('permission_denied', 'the door is closed for now', {
      args: { reason: 'door_closed' },
    })
}

function credentialOf(guest: GuestSession): string {
  const id = guest.member_magic_link_id ?? guest.member_email_id ?? guest.member_token_id
  return present(id, 'the credential of a guest')
}

/** Adds the distance to the error for a member who is too far away. */
async function addDistance(
  { db, caller }: Work,
  gadget: StoredOf<Resources['gadget']>,
  location: Location | undefined,
  error: unknown,
): Promise<never> {
  if (!location || !(error instanceof RequestError) || error.args.reason !== 'not_present') throw error
  const { organization_id } = caller
  const site = await findObject(db, resources.site, { organization_id }, gadget.site_id)
  if (!site?.geo) throw error
  const distance = String(Math.round(greatCircleDistance(site.geo.location, location)))
  throw new RequestError(error.type, error.message, { args: { ...error.args, distance }, cause: error })
}

/** Returns the digits only after the reveal event is stored. */
export async function revealGuestPin(work: Work, guest: GuestSession, id: string): Promise<Row> {
  const reach = {
    organization_id: guest.organization_id,
    parent: { field: 'member_id', id: guest.member_id },
  }
  const row = await findObject(work.db, resources.member_pin, reach, id, { hidden: ['pin_ciphertext'] })
  if (!row || row.is_deleted || row.is_suspended) throw notFound(resources.member_pin)
  const pin = revealPin(work.context, row)
  await logObject(work, resources.member_pin, 'reveal', row)
  return { id: row.id, length: row.length, pin }
}

/** Issues a pass for a device on which the member can use something by phone, now or later. */
export async function issueGuestPass(work: Work, guest: GuestSession, device_id: string): Promise<Row> {
  const { context, caller } = work
  const { organization_id } = caller
  const device = await findObject(work.db, resources.device, { organization_id }, device_id)
  if (!device || device.is_deleted) throw notFound(resources.device)
  if (!(await hasWayByPhone(work, guest, device_id)))
    throw new RequestError('permission_denied', 'the member cannot use anything on this device by phone', {
      args: { reason: 'no_matching_rule' },
    })
  const { member_id } = guest
  return { ...issuePass(context, { member_id, device_id, credential_id: credentialOf(guest) }) }
}

async function hasWayByPhone({ context, db, now }: Work, guest: GuestSession, device_id: string) {
  const { organization_id, member_id } = guest
  const rows = await db.query<{ id: string }>(
    'SELECT id FROM gadgets WHERE organization_id = $1 AND device_id = $2 AND NOT is_deleted ORDER BY id',
    [organization_id, device_id],
  )
  const gadget_ids = rows.map(({ id }) => id)
  const usable = await context.policies.ask(organization_id, policy =>
    usableGadgets(policy, { member_id, now, gadget_ids }),
  )
  const ways = [...usable.values()].flat().flatMap(action => action.ways)
  return ways.some(way => /^(bluetooth|mobile_nfc)$/.test(way.access_method))
}
