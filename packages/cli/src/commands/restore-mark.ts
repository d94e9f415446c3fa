import { userInfo } from 'node:os'
import {
  type Config,
  connect,
  connectionsOf,
  findConnection,
  LedgerMissing,
  markRecovered,
  migrate,
  type Pool,
  startEmbedded,
  systemClock,
} from '@gatehouse-access/server'
import { type Command, CommandError, ConfirmationNeeded, type Input } from '../command.ts'
import { readPlainConfig } from '../instance.ts'
import { wrongCall } from '../read-arguments.ts'
import { readKeys } from '../read-keys.ts'

export const restoreMark: Command = {
  name: 'restore mark',
  parameters: [],
  about:
    'Marks a database as restored, after you restored it with your own tools. The service must be stopped.',
  details: [
    'A restored database holds what was revoked since the backup: deleted members, replaced PINs, ended sessions. This suspends what',
    'the ledger in the folder of checkpoints names, ends all sessions and tokens, and makes the service read-only until',
    'gatehouse restore confirm. It can be interrupted and run again.',
  ].join('\n'),
  options: {
    target: {
      type: 'string',
      value: 'TIME',
      about: 'The time that the database was set back to. Defaults to that of its last event.',
    },
    backup: { type: 'string', value: 'ID', about: 'What was restored. Defaults to "own tools".' },
    by: { type: 'string', value: 'NAME', about: 'Who restored it. Defaults to the account that runs this.' },
    ledger: {
      type: 'string',
      value: 'FOLDER',
      about: 'The folder that has ledger.txt. Defaults to the first of GATEHOUSE_CHECKPOINT_DIR.',
    },
    'without-ledger': {
      type: 'boolean',
      about: 'Go on without a ledger: what was revoked since the backup is in force again.',
    },
  },
  async run(input) {
    const config = readPlainConfig(input.env)
    const given = readTarget(input)
    await using owned = new AsyncDisposableStack()
    const db = await openStopped(config, owned)
    await migrate(db, systemClock.now())
    const target = given ?? (await findLastEvent(db))
    await mark(input, db, target, config)
    input.print(
      `The database is marked as restored to ${target.toISOString()}. Start the service, then run gatehouse restore review.`,
    )
  },
}

async function mark(input: Input, db: Pool, target: Date, config: Config): Promise<void> {
  const ledger = input.flag('without-ledger')
    ? undefined
    : (input.text('ledger') ?? config.checkpoint_dirs[0] ?? '')
  await markRecovered(db, {
    target,
    backupId: input.text('backup') ?? 'own tools',
    by: nameOfOperator(input),
    ledger,
    secret_keys: readKeys(input, { config }),
  }).catch(error => {
    if (error instanceof LedgerMissing) throw new ConfirmationNeeded(error.message, { cause: error })
    throw error
  })
}

export function nameOfOperator(input: Input): string {
  return input.text('by')?.trim() || userInfo().username
}

function readTarget(input: Input): Date | undefined {
  const text = input.text('target')
  if (text === undefined) return undefined
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time
  throw wrongCall(
    restoreMark,
    `takes a time like 2026-11-16T09:00:00Z as --target, not ${JSON.stringify(text)}`,
  )
}

async function openStopped(config: Config, owned: AsyncDisposableStack): Promise<Pool> {
  const direct = connectionsOf(config)?.direct
  if (direct) return owned.use(connect(direct, 2))
  const running = owned.use(connect(findConnection(config.data_dir), 1))
  const isRunning = await running.query('SELECT 1').then(
    () => true,
    () => false,
  )
  if (isRunning)
    throw new CommandError(`The service runs in ${config.data_dir}: stop it, then mark the restore.`)
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const embedded = owned.use(await startEmbedded({ data_dir: config.data_dir, log: quiet }))
  return owned.use(connect(embedded.connection, 2))
}

async function findLastEvent(db: Pool): Promise<Date> {
  const [row] = await db.query<{ recorded_at: string }>(
    'SELECT recorded_at FROM events ORDER BY epoch DESC, transaction_id DESC, sequence DESC LIMIT 1',
  )
  return row ? new Date(row.recorded_at) : new Date()
}
