import { deriveAuditKey, eraseEvent } from '@gatehouse-access/server'
import type { Command, Input } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { wrongCall } from '../read-arguments.ts'
import { readKeys } from '../read-keys.ts'

export const auditErase: Command = {
  name: 'audit erase',
  parameters: ['EVENT'],
  about: 'Removes all personal data from an event, and leaves a signed receipt.',
  details: [
    'Only the time, the verb and the object type remain. The audit chain still verifies, and gatehouse audit',
    'verify counts the event as erased. This cannot be undone.',
  ].join('\n'),
  options: {
    by: { type: 'string', value: 'NAME', about: 'Who decided it. Recorded in the receipt.' },
    reason: { type: 'string', value: 'TEXT', about: 'Why. Recorded in the receipt.' },
  },
  async run(input) {
    const said = readStatement(input, auditErase)
    const [event_id = ''] = input.parameters
    await using instance = await openMigrated(input.env)
    const [secret] = readKeys(input, instance)
    await eraseEvent(instance.db, deriveAuditKey(secret as Buffer), instance.clock.now(), {
      event_id,
      ...said,
    })
    input.print(`Event ${event_id} is erased.`)
  },
}

/** Reads who makes a permanent statement, and why. */
export function readStatement(input: Input, command: Pick<Command, 'name'>): { by: string; reason: string } {
  const [by, reason] = [input.text('by')?.trim(), input.text('reason')?.trim()]
  if (by && reason) return { by, reason }
  throw wrongCall(command, 'takes --by and --reason')
}
