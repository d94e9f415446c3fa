import { type ListEntry, listEntries } from '@gatehouse-access/server'
import { findFolder, fromOption } from '../backup-settings.ts'
import { type Command, jsonOption } from '../command.ts'
import { formatSize } from '../format-size.ts'
import { formatTable } from '../table.ts'

export const backupList: Command = {
  name: 'backup list',
  parameters: [],
  about: 'Lists the backups, the times that they restore to, and the gaps between those.',
  options: { from: fromOption, json: jsonOption },
  async run(input) {
    const entries = await listEntries(findFolder(input))
    if (input.flag('json')) return input.print(JSON.stringify(entries))
    if (entries.length === 0) return input.print('There are no backups yet.')
    input.print(formatTable(['ID', 'KIND', 'SIZE', 'VERIFIED', 'RESTORES FROM', 'TO'], entries.map(toRow)))
  },
}

function toRow(entry: ListEntry): string[] {
  if (entry.kind === 'gap')
    return [entry.id, 'gap', '', '', `nothing from ${entry.from}`, `${entry.to ?? 'now'} (${entry.reason})`]
  if (entry.kind === 'damaged') return [entry.path, 'damaged', '', '', '', '']
  const { id, kind, bytes, is_verified, restores_from, restores_to } = entry
  return [id, kind, formatSize(bytes), is_verified ? 'yes' : 'no', restores_from, restores_to]
}
