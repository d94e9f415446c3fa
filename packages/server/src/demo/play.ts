import { resources, type SimulateBody } from '@gatehouse-access/api'
import { present } from '../flow/present.ts'
import { simulateDevice } from '../services/access/simulate.ts'
import type { Context } from '../services/objects/context.ts'
import type { Caller } from '../store/caller.ts'

/** Simulates a morning at the demo hotel: someone rings, cleaners arrive, a manager opens, a stranger tries a PIN. */
export async function playHotel(context: Context, caller: Caller): Promise<void> {
  const { organization_id } = caller
  const find = async (table: 'devices' | 'gadgets' | 'members', name: string) => {
    const rows = await context.db.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE organization_id = $1 AND name = $2 ORDER BY id LIMIT 1`,
      [organization_id, name],
    )
    return present(rows[0], name).id
  }
  const simulate = (id: string, body: SimulateBody) =>
    simulateDevice({
      work: { context, db: context.db, caller, now: context.clock.now() },
      target: { resource: resources.device, reach: { organization_id } },
      id,
      ids: {},
      query: {},
      readBody: () => body,
    })
  const keypad = await find('devices', 'Street keypad')
  const door = await find('gadgets', 'Front door')
  // By its door: both hotels have a lobby controller.
  const [row] = await context.db.query<{ device_id: string }>(
    'SELECT device_id FROM gadgets WHERE organization_id = $1 AND id = $2',
    [organization_id, door],
  )
  const lobby = present(row, 'Front door').device_id
  await simulate(lobby, { signal: { gadget_id: door, signal_id: 'bell' } })
  await simulate(keypad, { card: { uid: '04A1B2C3D4E5F6' } })
  const member_id = await find('members', 'Night manager')
  await simulate(keypad, { phone: { access_method: 'bluetooth', member_id } })
  await simulate(keypad, { keys: '123456#' })
}
