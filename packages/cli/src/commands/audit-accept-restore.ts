import { acceptRestore } from '@gatehouse-access/server'
import type { Command } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { readKeys } from '../read-keys.ts'
import { readStatement } from './audit-erase.ts'

export const auditAcceptRestore: Command = {
  name: 'audit accept-restore',
  parameters: [],
  about: 'Confirms that the database was restored from a backup, so that checkpoints are signed again.',
  details: [
    'After a restore, the checkpoint folders know more than the database, and the service signs nothing, because a forged history',
    'looks the same. This command signs what was given up, by whom and why; gatehouse audit verify then passes. Run it only if you know',
    'of the restore.',
  ].join('\n'),
  options: {
    by: { type: 'string', value: 'NAME', about: 'Who restored the backup. Recorded in the checkpoint.' },
    reason: { type: 'string', value: 'TEXT', about: 'Why. Recorded in the checkpoint.' },
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
