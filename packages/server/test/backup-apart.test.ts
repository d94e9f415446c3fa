import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRecoveryKey } from '../src/backup/archive/recovery-key.ts'
import { writePublicKey } from '../src/backup/folder/public-key.ts'
import { makeBackupApart } from '../src/backup/make-apart.ts'

let owned: AsyncDisposableStack
let folder: string

beforeEach(() => {
  owned = new AsyncDisposableStack()
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-apart-'))
  owned.defer(() => rmSync(folder, { recursive: true }))
})
afterEach(() => owned.disposeAsync())

const plain = { gives_way: false, onFile: () => undefined, signal: new AbortController().signal }
const settings = () => ({ data_dir: folder, backup_dir: folder, secret_keys: [Buffer.alloc(32, 1)] as const })

/** A database that accepts connections and says nothing, so that a backup of it lasts. */
async function openSilentDatabase() {
  const { public_key } = makeRecoveryKey()
  await writePublicKey(folder, { public_key, made_at: new Date().toISOString() })
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  owned.defer(() => void server.close())
  const { port } = server.address() as AddressInfo
  const config = { ...settings(), database_url: `postgres://nobody:nothing@127.0.0.1:${port}/none` }
  return { config, asked: once(server, 'connection') }
}

/** Returns the process that makes a backup of the folder. */
function findMaker(): string | undefined {
  const isMaker = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`backup-process.ts\0${folder}\0`)
    } catch {
      return false
    }
  }
  return readdirSync('/proc').find(isMaker)
}

/** Returns by which policies its threads are scheduled: the 41st field, of which the second may have spaces. */
function policiesOf(pid: string): Set<string | undefined> {
  const stats = readdirSync(`/proc/${pid}/task`).map(task =>
    readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8'),
  )
  return new Set(stats.map(text => text.slice(text.lastIndexOf(')') + 2).split(' ')[38]))
}

test('what keeps the process from making a backup is told', async () => {
  await expect(makeBackupApart(settings(), plain)).rejects.toThrow('There is no recovery key')
})

test.runIf(process.platform === 'linux')('it gives way, and is noticed if it is killed', async () => {
  const { config, asked } = await openSilentDatabase()
  const made = makeBackupApart(config, { ...plain, gives_way: true })
  const failed = expect(made).rejects.toThrow('ended early, with SIGKILL')
  await asked
  const pid = findMaker() ?? ''
  // SCHED_IDLE
  expect(policiesOf(pid)).toEqual(new Set(['5']))
  process.kill(Number(pid), 'SIGKILL')
  await failed
})

test.runIf(process.platform === 'linux')(
  'it ends with the service, and knows no other settings',
  async () => {
    const { config, asked } = await openSilentDatabase()
    const end = new AbortController()
    const made = makeBackupApart(config, { ...plain, signal: end.signal })
    const failed = expect(made).rejects.toThrow('aborted')
    await asked
    const environment = readFileSync(`/proc/${findMaker()}/environ`, 'utf8')
    expect(environment.replaceAll(/\0?(PATH|NODE_CHANNEL_\w+)=[^\0]*/g, '')).toBe('\0')
    end.abort()
    await failed
    await expect.poll(findMaker).toBeUndefined()
  },
)
