import { createHook } from 'node:async_hooks'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { makeDataFolder, makeEmptyFolder, quickest, soak } from '@gatehouse-access/testkit'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StartError } from '../src/config/start-error.ts'
import { connect, type Pool } from '../src/database/db.ts'
import { type EmbeddedPostgres, findConnection, startEmbedded } from '../src/database/embedded/embedded.ts'
import { giveWay } from '../src/database/embedded/give-way.ts'

const log = pino({ level: 'silent' })
const is_root = process.getuid?.() === 0
let data_dir: string
let owned: AsyncDisposableStack

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  data_dir = owned.use(await makeDataFolder()).path
})
afterEach(() => owned.disposeAsync())

describe('the embedded PostgreSQL', () => {
  soak('keeps its data from one start to the next, private and in UTF-8', async () => {
    data_dir = owned.use(await makeEmptyFolder()).path
    const first = await start()
    await query(first, 'create table door as select 1 as number')
    await first.stop()
    const second = await start()
    expect(await query(second, 'select number from door')).toEqual([{ number: 1 }])
    const settings = "select current_setting('listen_addresses') as listen_addresses, upper('é') as upper"
    expect(await query(second, settings)).toEqual([{ listen_addresses: '', upper: 'É' }])
    expect(statSync(second.connection.host).mode & 0o777).toBe(0o700)
    expect(readFileSync(join(data_dir, 'postgres.log'), 'utf8')).toContain('ready to accept connections')
  })

  it('has what nobody waits for leave the processors to others', async () => {
    const database = await start()
    const db = owned.use(connect(database.connection, 2, { giveWay }))
    const pidOf = (gives_way: boolean) =>
      db.transaction(
        async inner => (await inner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid ?? 0,
        { gives_way },
      )
    const [patient, usual] = [await pidOf(true), await pidOf(false)]
    await expect.poll(() => getPriority(patient)).toBe(10)
    expect(getPriority(usual)).toBe(getPriority(database.pid))
    // Where sessions are scheduled as groups.
    const group = `/proc/${patient}/autogroup`
    if (existsSync(group))
      await expect.poll(() => readFileSync(group, 'utf8'), { timeout: 5000 }).toContain('nice 10')
  })

  it('answers again within 5 seconds of a kill -9', async () => {
    const database = await start()
    const db = open(database)
    const before = await db.query('select 1 as one')
    const killAndAsk = async () => {
      const killed = database.pid
      process.kill(killed, 'SIGKILL')
      const since = performance.now()
      await expect.poll(() => database.pid).not.toBe(killed)
      await expect.poll(() => db.query('select 1 as one').catch(() => [])).toEqual(before)
      return performance.now() - since
    }
    expect(await quickest(5000, killAndAsk)).toBeLessThan(5000)
  })

  it('starts beside the stale pid file of a process number that somebody else has now', async () => {
    const first = await start()
    await first.stop()
    const stale = [process.pid, join(data_dir, 'database'), 1, 5432, '', '', '', 'ready', ''].join('\n')
    writeFileSync(join(data_dir, 'database/postmaster.pid'), stale)
    const second = await start()
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts at once after its owner was killed, and keeps what was committed', async () => {
    const owner = await startOwner()
    await query({ connection: findConnection(data_dir) }, 'create table door as select 1 as number')
    owner.kill('SIGKILL')
    const second = await start()
    expect(await query(second, 'select number from door')).toEqual([{ number: 1 }])
  })

  it.runIf(process.platform === 'linux')(
    'stops the PostgreSQL that outlived its owner and its guardian',
    async () => {
      const owner = await startOwner()
      const pid = Number(readFileSync(join(data_dir, 'database/postmaster.pid'), 'utf8').split('\n')[0])
      for (const guardian of findGuardians(pid)) process.kill(guardian, 'SIGKILL')
      owner.kill('SIGKILL')
      await setTimeout(300)
      expect(process.kill(pid, 0)).toBe(true)
      const second = await start()
      expect(second.pid).not.toBe(pid)
      expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
    },
  )

  it('does not outlive its owner', async () => {
    const owner = await startOwner()
    owner.kill('SIGKILL')
    await expect.poll(findPidFile).toBe(undefined)
  })

  it('refuses a data folder that is in use', async () => {
    await start()
    await expect(startEmbedded({ data_dir, log })).rejects.toEqual(
      new StartError(`The data folder ${data_dir} is in use by process ${process.pid}.`),
    )
  })

  soak('refuses a data folder that another process uses', async () => {
    const owner = await startOwner()
    await expect(startEmbedded({ data_dir, log })).rejects.toThrow(`is in use by process ${owner.pid}.`)
  })

  it('says what is wrong with a folder that cannot be written', async () => {
    const file = join(data_dir, 'file')
    writeFileSync(file, '')
    await expect(startEmbedded({ data_dir: join(file, 'data'), log })).rejects.toEqual(
      new StartError(
        `The data folder ${file}/data is not a writable folder (ENOTDIR): fix it, or choose another with GATEHOUSE_DATA_DIR.`,
      ),
    )
  })

  it.runIf(is_root)('says so when the unprivileged user cannot reach the folder', async () => {
    chmodSync(data_dir, 0o700)
    const inside = join(data_dir, 'data')
    await expect(startEmbedded({ data_dir: inside, log })).rejects.toThrow(
      /cannot be reached by the user \w+, whom PostgreSQL runs as: choose another with GATEHOUSE_DATA_DIR\.$/,
    )
  })

  it('says why PostgreSQL does not start', async () => {
    const settings = { shared_buffers: 'plenty' }
    await expect(startEmbedded({ data_dir, log, durable: false, settings })).rejects.toThrow(
      'PostgreSQL does not start: invalid value for parameter "shared_buffers": "plenty".',
    )
  })

  it('leaves nothing waiting for a PostgreSQL that did not start', async () => {
    await expect(
      startEmbedded({ data_dir, log, durable: false, settings: { shared_buffers: 'plenty' } }),
    ).rejects.toThrow()
    expect(await countReads(5)).toBeLessThan(5)
  })

  soak('takes a folder whose path is too long for a socket', async () => {
    const long = join(data_dir, 'a "long", long path/'.repeat(6))
    mkdirSync(long, { recursive: true })
    chmodSync(data_dir, 0o755)
    const database = await start(long)
    owned.defer(() => rmSync(database.connection.host, { recursive: true, force: true }))
    expect(database.connection.host).toMatch(/^\/tmp\/gatehouse-[0-9a-f]{16}$/)
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

async function start(folder = data_dir): Promise<EmbeddedPostgres> {
  const database = await startEmbedded({ data_dir: folder, log, durable: false })
  owned.defer(database.stop)
  return database
}

/** Counts what this process begins to read from files, while as many timers fire as a wait for PostgreSQL takes. */
async function countReads(timers: number): Promise<number> {
  let count = 0
  const init = (_id: number, type: string) => {
    if (type.startsWith('FSREQ')) count++
  }
  const hook = createHook({ init }).enable()
  for (let fired = 0; fired < timers; fired++) await setTimeout(20)
  hook.disable()
  return count
}

/** Starts another process that owns the database and that a test may kill. */
async function startOwner(): Promise<ChildProcess> {
  const program = `
    const { startEmbedded } = await import(${JSON.stringify(join(import.meta.dirname, '../src/database/embedded/embedded.ts'))})
    await startEmbedded({ data_dir: ${JSON.stringify(data_dir)}, log: console, durable: false })
    console.log('started')
    setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  owned.defer(() => endOwner(owner))
  for await (const chunk of owner.stdout) if (String(chunk).includes('started')) return owner
  throw new Error('the owner ended early')
}

/** Kills the owner and waits for its PostgreSQL, which stops by itself after a delay. */
async function endOwner(owner: ChildProcess): Promise<void> {
  owner.kill('SIGKILL')
  await expect.poll(findPidFile).toBe(undefined)
}

function findPidFile() {
  return statSync(join(data_dir, 'database/postmaster.pid'), { throwIfNoEntry: false })
}

function open({ connection }: Pick<EmbeddedPostgres, 'connection'>): Pool {
  return owned.use(connect(connection, 1))
}

async function query(database: Pick<EmbeddedPostgres, 'connection'>, text: string) {
  return open(database).query(text)
}

/** Returns the shells that wait to stop the PostgreSQL with this process ID. */
function findGuardians(pid: number): number[] {
  const commands = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return commands.map(Number).filter(other => readCommand(other).endsWith(`kill -INT "$1"\0sh\0${pid}\0`))
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
