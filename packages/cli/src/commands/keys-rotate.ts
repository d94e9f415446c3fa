import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  addSecretKey,
  announceKey,
  type Config,
  claimKeys,
  connect,
  countStale,
  type Database,
  findConnection,
  forgetOtherKeys,
  hasServerReadKeys,
  loadSecretKeys,
  lockKeyFile,
  migrate,
  newSecretKey,
  outwaitStart,
  parseSecretKeys,
  retireSecretKeys,
  rotateSecrets,
  startEmbedded,
  systemClock,
} from '@gatehouse-access/server'
import { type Command, CommandError, type Input } from '../command.ts'
import { openMigrated, readPlainConfig } from '../instance.ts'
import { Progress } from '../progress.ts'

/**
 * With the embedded database, the key file records how far a rotation has come:
 *
 * | Key file | Service | This command |
 * |---|---|---|
 * | one key | stopped | adds a new key in front, re-encrypts, retires the old key |
 * | one key | running | adds a new key in front; the service uses the old key until it is restarted |
 * | several | started before the file changed | asks for a restart |
 * | several | stopped, or started afterwards | re-encrypts, then retires the old keys |
 *
 * A running service can always decrypt every secret: nothing is encrypted with the new key before the service
 * has it, and the old key is removed only when nothing needs it. The command can be interrupted and run again
 * at any point.
 */
export const keysRotate: Command = {
  name: 'keys rotate',
  parameters: [],
  about: 'Re-encrypts every stored secret with a new key.',
  details: [
    'Embedded database: run it, restart the service when told to, and run it again. While the service is stopped,',
    'one run is enough.',
    '',
    'With GATEHOUSE_SECRET_KEY: put a new key in front (new,old) for every server process, restart them, then run this',
    'with the same value. Afterwards you can remove the old key. If several processes are restarted one after another, first',
    'give all of them old,new, and only then new,old, so that each can always read what another has written.',
  ].join('\n'),
  options: {},
  async run(input) {
    const given = input.env.GATEHOUSE_SECRET_KEY?.trim()
    const config = readPlainConfig(input.env)
    if (given || config.database_url) await rotateGiven(input, given)
    else await rotateFile(input, config)
  },
}

async function rotateGiven(input: Input, given = ''): Promise<void> {
  const keys = parseSecretKeys(given)
  if (!keys)
    throw new CommandError(
      'GATEHOUSE_SECRET_KEY must contain the keys of the service, newest first, separated by commas.',
    )
  await using instance = await openMigrated(input.env)
  if (keys.length > 1) {
    await claimKeys(instance.db, keys, systemClock.now())
    await reencrypt(input, instance.db, keys)
    return input.print(
      'Once every server process runs with this GATEHOUSE_SECRET_KEY, the old keys can be removed from it.',
    )
  }
  const stale = await countStale(instance.db, keys)
  if (stale > 0)
    throw new CommandError(
      `${stale} secrets need an older key: add it after the first in GATEHOUSE_SECRET_KEY.`,
    )
  input.print(
    'Put this new key and a comma before the one in GATEHOUSE_SECRET_KEY of every server process, restart them,',
  )
  const key = newSecretKey()
  await announceKey(instance.db, Buffer.from(key, 'base64'), systemClock.now())
  input.print(`and run this again with the same value:\n\n${key}`)
}

async function rotateFile(input: Input, { data_dir }: Config): Promise<void> {
  if (!existsSync(join(data_dir, 'database')))
    throw new CommandError(
      `There is no database in ${data_dir}: name another folder with GATEHOUSE_DATA_DIR.`,
    )
  using _lock = lockKeyFile(data_dir)
  await using owned = new AsyncDisposableStack()
  const running = owned.use(connect(findConnection(data_dir), 2))
  const is_running = await running.query('SELECT 1').then(
    () => true,
    () => false,
  )
  const is_new = loadSecretKeys(data_dir).length === 1
  if (is_running && is_new) return await beginFile(input, data_dir, running)
  if (is_running && !hasServerReadKeys(data_dir)) return askForRestart(input)
  const db = is_running ? running : await openStopped(data_dir, owned)
  if (is_new) await addKey(data_dir, db)
  const keys = loadSecretKeys(data_dir)
  await claimKeys(db, keys, systemClock.now())
  await reencrypt(input, db, keys)
  input.print(`The old key is now in ${retireSecretKeys(data_dir)}: only backups older than this need it.`)
}

async function beginFile(input: Input, data_dir: string, db: Database): Promise<void> {
  await addKey(data_dir, db)
  input.print(`A new key was added to ${data_dir}/secret-key, before the old one.`)
  askForRestart(input)
}

/** Waits until a service that read the key file before the change must have failed to lock the folder. */
async function addKey(data_dir: string, db: Database): Promise<void> {
  const key = newSecretKey()
  // Announced first, because the service refuses to start with a first key that the database does not know.
  await announceKey(db, Buffer.from(key, 'base64'), systemClock.now())
  addSecretKey(data_dir, key)
  await outwaitStart()
}

function askForRestart({ print }: Input): void {
  print(
    'The service is still running with only the old key: restart it, then run gatehouse keys rotate again.',
  )
}

async function openStopped(data_dir: string, owned: AsyncDisposableStack): Promise<Database> {
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const embedded = owned.use(await startEmbedded({ data_dir, log: quiet }))
  const db = owned.use(connect(embedded.connection, 2))
  await migrate(db, systemClock.now())
  return db
}

async function reencrypt({ print, terminal }: Input, db: Database, keys: readonly Buffer[]): Promise<void> {
  let progress: Progress | undefined
  const { changed, conflicts, unreadable } = await rotateSecrets(db, keys, (done, total) => {
    progress ??= new Progress('secrets', total, terminal.stdout)
    progress.update(done)
  })
  progress?.end()
  print(`Re-encrypted ${changed} secrets with the newest key.`)
  if (unreadable.length > 0)
    throw new CommandError(
      `${unreadable.length} secrets need a key that was not given; the first is ${unreadable[0]}.`,
    )
  if (conflicts.length > 0)
    throw new CommandError(
      `These PINs also belong to another member: ${conflicts.join(', ')}. Delete one of each pair and run this again.`,
    )
  await forgetOtherKeys(db, keys)
}
