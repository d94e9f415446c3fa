import type { BackupKind } from '@gatehouse-access/server'
import { backUp } from '../back-up.ts'
import { readBackupConfig } from '../backup-settings.ts'
import { type Command, type Input, jsonOption } from '../command.ts'
import { formatSize } from '../format-size.ts'
import { openMigrated } from '../instance.ts'
import { wrongCall } from '../read-arguments.ts'

export const backupNow: Command = {
  name: 'backup now',
  parameters: [],
  about: 'Makes a backup while the service runs.',
  details: [
    'physical: the files of the embedded database. With the log that the service archives, it restores to any second after it.',
    'logical: all rows. Restores into any PostgreSQL from version 15 on, and into the embedded one.',
  ].join('\n'),
  options: {
    kind: {
      type: 'string',
      value: 'KIND',
      about: 'physical or logical. Defaults to physical, with DATABASE_URL to logical.',
    },
    unencrypted: { type: 'boolean', about: 'Let everyone who has the files read them.' },
    json: jsonOption,
  },
  gives_way: true,
  async run(input) {
    const kind = readKind(input)
    const config = readBackupConfig(input)
    // Only tells whether the service runs and has its tables.
    await (await openMigrated(input.env))[Symbol.asyncDispose]()
    const made = await backUp(input, config, { kind, is_unencrypted: input.flag('unencrypted') })
    const { id, archive, finished_at } = made
    input.print(
      input.flag('json')
        ? JSON.stringify({ id, kind: made.kind, finished_at, bytes: archive.bytes })
        : `Made the ${made.kind} backup ${id}: ${formatSize(archive.content_bytes)} in ${formatSize(archive.bytes)}.`,
    )
    if (made.kind === 'physical' && !made.wal?.line) input.terminal.stderr.write(`${notContinued}\n`)
  },
}

/** The service begins a line of the log with its first look at the folder, and then makes a backup of its own. */
const notContinued =
  'It restores to its own moment only: the service has not begun to archive the log. Within minutes it does, and makes another backup, which restores to any second after it.'

function readKind(input: Input): BackupKind | undefined {
  const kind = input.text('kind')
  if (kind === undefined || kind === 'physical' || kind === 'logical') return kind
  throw wrongCall(backupNow, `makes a backup of kind physical or logical, not ${JSON.stringify(kind)}`)
}
