import type { FromDevice, FromService } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { Identity } from '../authenticate.ts'
import type { CommandBus } from '../commands/commands.ts'

interface Destination {
  readonly device_id: string
  readonly hardware_id: string | null
}

/** Runs the action of an input rule on a gadget that the device cannot reach. Only its own rules count. */
export async function forward(
  context: { db: Database; all_commands: CommandBus },
  { organization_id, device_id }: Identity,
  { gadget_id, action_id }: FromDevice<'forward'>,
): Promise<FromService<'forwarded'>['outcome']> {
  const [destination] = await context.db.query<Destination & object>(
    `SELECT g.device_id, t.hardware_id FROM devices d JOIN gadgets g ON g.organization_id = d.organization_id AND g.id = $3
     JOIN devices t ON t.organization_id = g.organization_id AND t.id = g.device_id
     WHERE d.organization_id = $1 AND d.id = $2 AND d.input_rules @> $4::jsonb AND NOT g.is_deleted AND NOT t.is_deleted`,
    [organization_id, device_id, gadget_id, [{ gadget_id, action_id }]],
  )
  if (!destination) return 'refused'
  return context.all_commands.run({ organization_id, gadget_id, action_id, ...destination })
}
