import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import {
  choosePoint,
  connectionsOf,
  findRanges,
  hasLedger,
  listBackups,
  listPieces,
  type Point,
  pointOfBackup,
  restoreLogically,
  restorePhysically,
} from '@gatehouse-access/server'
import { findFolder, fromOption } from '../backup-settings.ts'
import { type Command, CommandError, ConfirmationNeeded, type Input } from '../command.ts'
import { readPlainConfig } from '../instance.ts'
import { wrongCall } from '../read-arguments.ts'
import { readRecoveryKey } from '../read-recovery-key.ts'

export const restore: Command = {
  name: 'restore',
  parameters: [],
  about: 'Restores a backup, to the time it was made or to any later second.',
  details: [
    'Reads the recovery key from standard input. Never restores over a database: the service must be stopped, and the folder',
    'database of the data folder moved away. Until the end, nothing is changed: a restore that is interrupted can be repeated.',
    'What was revoked after the restored time stays revoked, as the ledger in the checkpoint folder knows it.',
  ].join('\n'),
  options: {
    to: {
      type: 'string',
      value: 'TIME',
      about: 'The time to restore, like 2026-11-16T09:00:00Z; latest for all there is.',
    },
    backup: { type: 'string', value: 'ID', about: 'The backup to restore, as it was when it was made.' },
    into: {
      type: 'string',
      value: 'PLACE',
      about:
        'A data folder or, for a logical backup, an empty database as a URL. Defaults to those of the settings.',
    },
    from: fromOption,
    by: { type: 'string', value: 'NAME', about: 'Who restores. Defaults to the user of this process.' },
    ledger: {
      type: 'string',
      value: 'FOLDER',
      about: 'The checkpoint folder, which knows what was deleted since. Defaults to that of the settings.',
    },
    'without-ledger': { type: 'boolean', about: 'Restore although nobody knows what was deleted since.' },
  },
  async run(input) {
    const folder = findFolder(input)
    const point = await readPoint(input, folder)
    const place = readPlace(input, point)
    const ledger = readLedger(input)
    input.print(
      `Restoring ${point.target} from the ${point.backup.kind} backup ${point.backup.id} into ${place.into}.`,
    )
    const options = {
      folder,
      point,
      keys: point.backup.recovery_key === null ? {} : { recovery_key: await readRecoveryKey(input) },
      into: place.into,
      run_as: readPlainConfig(input.env).run_as,
      by: input.text('by') ?? userInfo().username,
      ledger,
    }
    if (point.backup.kind === 'physical') await restorePhysically(options)
    else await restoreLogically({ ...options, url: place.url })
    input.print(
      `Restored ${point.target}. Start the service: it only reads until you have run gatehouse restore review, then gatehouse restore confirm.`,
    )
  },
}

async function readPoint(input: Input, folder: string): Promise<Point> {
  const [to, id] = [input.text('to'), input.text('backup')]
  if ((to === undefined) === (id === undefined)) throw wrongCall(restore, 'takes either --to or --backup')
  const { backups } = await listBackups(folder)
  if (to !== undefined)
    return choosePoint(findRanges(backups, await listPieces(folder)), readTime(to), new Date().toISOString())
  const backup = backups.find(one => one.id === id)
  if (!backup)
    throw new CommandError(`There is no backup ${id} in ${folder}: gatehouse backup list shows them.`)
  return pointOfBackup(backup)
}

/** A time without an offset is local, as the operator's watch. */
function readTime(text: string): string {
  if (text === 'latest') return text
  const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)
    ? new Date(text.replace(' ', 'T'))
    : new Date(Number.NaN)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw wrongCall(
    restore,
    `takes a time like 2026-11-16T09:00:00Z or latest as --to, not ${JSON.stringify(text)}`,
  )
}

interface Place {
  readonly into: string
  readonly url?: string
}

/** A physical backup goes into a folder. A logical one goes into a database, if one is named. */
function readPlace(input: Input, { backup }: Point): Place {
  const given = input.text('into')
  const config = readPlainConfig(input.env)
  const url =
    given === undefined
      ? connectionsOf(config)?.direct.url
      : /^postgres(ql)?:\/\//.test(given)
        ? given
        : undefined
  if (url === undefined) return { into: given === undefined ? config.data_dir : resolve(given) }
  if (backup.kind === 'logical') return { into: config.data_dir, url }
  throw new CommandError(
    `The physical backup ${backup.id} restores into a data folder, not into a database: name one with --into, or restore a logical backup.`,
  )
}

/** Stops to ask before hours of work, not after. */
function readLedger(input: Input): string | undefined {
  if (input.flag('without-ledger')) return undefined
  const folder = input.text('ledger') ?? readPlainConfig(input.env).checkpoint_dirs[0] ?? ''
  if (hasLedger(folder)) return folder
  throw new ConfirmationNeeded(
    `There is no ledger in ${folder || 'the settings'}, so nobody can tell what was revoked after ${input.text('to') ?? 'the backup'}: name the checkpoint folder that has ledger.txt with --ledger, or go on without it (--without-ledger).`,
  )
}
