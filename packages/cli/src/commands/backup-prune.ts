import { planRemoval, pruneBackups } from '@gatehouse-access/server'
import { findFolder, fromOption } from '../backup-settings.ts'
import type { Command } from '../command.ts'

export const backupPrune: Command = {
  name: 'backup prune',
  parameters: [],
  about: 'Removes old backups, as the service does after each new one.',
  details: [
    'Keeps the last backup of each of 7 days, 5 weeks and 12 months, all that are younger than 48 hours, the newest verified one,',
    'and the log since the oldest of the 7 days.',
  ].join('\n'),
  options: { from: fromOption, 'dry-run': { type: 'boolean', about: 'Only tell what would be removed.' } },
  async run(input) {
    const folder = findFolder(input)
    const isDry = input.flag('dry-run')
    const { backups, pieces } = await (isDry ? planRemoval : pruneBackups)(folder)
    for (const id of backups) input.print(`${isDry ? 'Would remove' : 'Removed'} ${id}.`)
    input.print(
      `${isDry ? 'Would remove' : 'Removed'} ${backups.length} backups and ${pieces.length} pieces of the log.`,
    )
  },
}
