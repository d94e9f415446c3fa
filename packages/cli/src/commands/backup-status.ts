import { type BackupStatus, readStatus } from '@gatehouse-access/server'
import { findFolder, fromOption } from '../backup-settings.ts'
import { type Command, jsonOption } from '../command.ts'
import { readPlainConfig } from '../instance.ts'

export const backupStatus: Command = {
  name: 'backup status',
  parameters: [],
  about: 'Tells how old the newest backup is, until when the log is archived, and how the last drill ended.',
  options: { from: fromOption, json: jsonOption },
  async run(input) {
    const status = await readStatus(readPlainConfig(input.env), findFolder(input))
    if (input.flag('json')) return input.print(JSON.stringify(status))
    for (const line of describe(status)) input.print(line)
  },
}

function describe({
  folder,
  recovery_key,
  newest,
  archived_until,
  wal_lag_seconds,
  drill,
  gaps,
  broken,
}: BackupStatus): string[] {
  return [
    `Folder         ${folder}`,
    `Recovery key   ${recovery_key ?? 'none: gatehouse backup key makes one'}`,
    `Newest backup  ${newest ? `${newest.id}, ${newest.kind}, ${newest.age_seconds} s old` : 'none'}`,
    `Log            ${archived_until ? `archived until ${archived_until}, ${wal_lag_seconds} s ago` : 'not archived'}`,
    `Last drill     ${drill ? `${drill.id} at ${drill.at}: ${drill.error ?? `restored to ${drill.reached}`}` : 'none'}`,
    ...(broken ? [`Broken         since ${broken.at}: ${broken.reason}`] : []),
    ...gaps.map(({ from, to, reason }) => `Gap            ${from} to ${to ?? 'now'}: ${reason}`),
  ]
}
