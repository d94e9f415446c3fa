import type { FromDevice, FromService, Resources, StoredOf } from '@gatehouse-access/api'
import { mayOpenDoor } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { asRead } from '../../database/postgres/query.ts'
import type { Clock } from '../../flow/clock.ts'
import type { CommandBus } from '../commands/commands.ts'
import { findLockdowns } from '../modes/find-lockdowns.ts'
import type { PolicyPush } from '../slices/push.ts'
import type { AttachedDevice } from './attached-device.ts'

interface ForwardContext {
  readonly db: Database
  readonly clock: Clock
  readonly all_commands: CommandBus
  readonly push: Pick<PolicyPush, 'hasHeardOf'>
}

type Gadget = StoredOf<Resources['gadget']>

interface Destination extends Pick<Gadget, 'site_id' | 'device_id' | 'door' | 'tag_ids'> {
  readonly hardware_id: string | null
}

/** Runs the action of an input rule on a gadget that the device cannot reach. Only its own rules count. */
export async function forward(
  context: ForwardContext,
  attached: AttachedDevice,
  { gadget_id, action_id }: FromDevice<'forward'>,
): Promise<FromService<'forwarded'>['outcome']> {
  const { organization_id, device_id } = attached.identity
  const [destination] = await context.db.query<Destination>(
    `SELECT g.site_id, g.device_id, g.door, g.tag_ids, t.hardware_id FROM devices d
     JOIN gadgets g ON g.organization_id = d.organization_id AND g.id = $3
     JOIN devices t ON t.organization_id = g.organization_id AND t.id = g.device_id
     WHERE d.organization_id = $1 AND d.id = $2 AND d.input_rules @> $4::jsonb AND NOT g.is_deleted AND NOT t.is_deleted`,
    [organization_id, device_id, gadget_id, [{ gadget_id, action_id }]],
    asRead,
  )
  if (!destination) return 'refused'
  const { hardware_id, door, ...place } = destination
  if (door && mayOpenDoor(door, action_id) && !(await isDecided(context, attached, { ...place, gadget_id })))
    return 'refused'
  return context.all_commands.run({
    organization_id,
    gadget_id,
    action_id,
    device_id: destination.device_id,
    hardware_id,
  })
}

/**
 * Whether the device knew of the lockdowns of a door when it let somebody pass. Who that was, and so whether they
 * are exempt, only the device knows.
 */
async function isDecided(
  { db, clock, push }: ForwardContext,
  { identity, slice }: AttachedDevice,
  door: Pick<Gadget, 'site_id' | 'tag_ids'> & { readonly gadget_id: string },
): Promise<boolean> {
  const lockdowns = await findLockdowns(db, identity.organization_id, door, clock.now())
  return lockdowns.length === 0 || (slice !== undefined && (await push.hasHeardOf(slice, lockdowns)))
}
