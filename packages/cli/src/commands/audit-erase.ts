import { deriveAuditKey, eraseEvent } from '@gatehouse/server'
import type { Command, Input } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { wrongCall } from '../read-input.ts'
import { readKeys } from '../read-keys.ts'

export const auditErase: Command = {
  name: 'audit erase',
  parameters: ['EVENT'],
  about: 'Empties an event of everything that may tell of a person, and leaves a signed receipt.',
  details: [
    'What remains is when it happened, the verb and the type of the object. The audit chain still verifies, and gatehouse audit',
    'verify counts the event as erased. There is no way back.',
  ].join('\n'),
  options: {
    by: { type: 'string', value: 'NAME', about: 'Who decided it; stands in the receipt.' },
    reason: { type: 'string', value: 'TEXT', about: 'Why; stands in the receipt.' },
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

/** Who says something for good, and why. */
export function readStatement(input: Input, command: Pick<Command, 'name'>): { by: string; reason: string } {
  const [by, reason] = [input.text('by')?.trim(), input.text('reason')?.trim()]
  if (by && reason) return { by, reason }
  throw wrongCall(command, 'takes --by and --reason')
}
