import { acceptRestore } from '@gatehouse/server'
import type { Command } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { readKeys } from '../read-keys.ts'
import { readStatement } from './audit-erase.ts'

export const auditAcceptRestore: Command = {
  name: 'audit accept-restore',
  parameters: [],
  about: 'Says that the database was put back from a backup, so that checkpoints are signed again.',
  details: [
    'After a restore the folders of checkpoints know more than the database, and the service signs nothing, since a forged history',
    'looks the same. This signs what was given up, by whom and why; gatehouse audit verify then passes. Run it only when you know',
    'of the restore.',
  ].join('\n'),
  options: {
    by: { type: 'string', value: 'NAME', about: 'Who put the backup back; stands in the checkpoint.' },
    reason: { type: 'string', value: 'TEXT', about: 'Why; stands in the checkpoint.' },
  },
  async run(input) {
    const said = readStatement(input, auditAcceptRestore)
    await using instance = await openMigrated(input.env)
    const config = { ...instance.config, secret_keys: readKeys(input, instance) }
    const abandoned = await acceptRestore({ ...instance, config }, said)
    input.print(
      `${abandoned.length} known links were given up; the service signs checkpoints again within a minute.`,
    )
  },
}
