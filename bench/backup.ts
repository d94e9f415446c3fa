import { spawn } from 'node:child_process'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../packages/server/src/index.ts'
import { percentile } from './delivery/events.ts'
import { judge, printTable } from './figures.ts'
import { startService } from './service.ts'
import { sendWhile } from './steady-load.ts'
import { createTenant } from './tenant.ts'

const main = new URL('../packages/cli/src/main.ts', import.meta.url).pathname
const rate = 500
const rowBytes = 1000

/**
 * Backs up a large database while requests come at a constant rate, and restores it. Set TMPDIR to choose the
 * disk.
 */
export async function measureBackup(gigabytes: number, seconds: number): Promise<void> {
  await using owned = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL may run as another user.
  await chmod(folder, 0o711)
  const backups = join(folder, 'backups')
  const key = await makeKey(folder, backups)
  process.env.GATEHOUSE_BACKUP_DIR = backups
  const { backup, alone, during, data_dir } = await backUpUnderLoad(gigabytes, seconds, key.public_file)
  delete process.env.GATEHOUSE_BACKUP_DIR
  console.log(
    `Backed up in ${Math.round(backup)} s, p95 alone ${percentile(alone, 0.95).toFixed(1)} ms, beside it ${percentile(during.took, 0.95).toFixed(1)} ms.`,
  )
  const env = { GATEHOUSE_DATA_DIR: join(folder, 'restored'), GATEHOUSE_BACKUP_DIR: backups }
  const restore = await time(() => run(['restore', '--to', 'latest', '--without-ledger'], env, key.text))
  printTable(
    `backup of ${gigabytes} GB (${data_dir}) at ${rate} requests a second`,
    ['', 'measured', 'bound', 'holds'],
    [
      ['base backup, seconds for 10 GB', ...judge((backup / gigabytes) * 10, 360, 'at most', 0)],
      [
        'p95 of requests, ratio to without',
        ...judge(percentile(during.took, 0.95) / percentile(alone, 0.95), 1.5, 'at most'),
      ],
      ['failed requests', ...judge(during.failures, 0, 'at most', 0)],
      ['restore, seconds for 10 GB', ...judge((restore / gigabytes) * 10, 600, 'at most', 0)],
    ],
  )
}

async function makeKey(folder: string, backups: string): Promise<{ text: string; public_file: string }> {
  const data_dir = join(folder, 'key')
  const said = await run(['backup', 'key'], { GATEHOUSE_DATA_DIR: data_dir, GATEHOUSE_BACKUP_DIR: backups })
  return { text: said.split('\n', 1)[0] ?? '', public_file: join(data_dir, 'recovery-key.pub') }
}

async function backUpUnderLoad(gigabytes: number, seconds: number, public_file: string) {
  await using service = await startService()
  await copyFile(public_file, join(service.data_dir, 'recovery-key.pub'))
  await chmod(join(service.data_dir, 'recovery-key.pub'), 0o644)
  await fill(service.db, gigabytes)
  const headers = await (await createTenant(service.db, 'Backup')).headers()
  const members = `${service.url}/v2/members?limit=20`
  const quiet = () => sendWhile(rate, [{ url: members, headers }], sleep(seconds * 10_000))
  const before = await quiet()
  const env = { GATEHOUSE_DATA_DIR: service.data_dir }
  let backup = 0
  const made = time(() => run(['backup', 'now'], env)).then(took => {
    backup = took
  })
  const during = await sendWhile(rate, [{ url: members, headers }], made)
  // Before and after: what else the machine does changes in so long a time.
  const after = await quiet()
  return { backup, alone: [...before.took, ...after.took], during, data_dir: service.data_dir }
}

/** Fills a table of its own with rows that compress as events do, to about a third. */
async function fill(db: Pool, gigabytes: number): Promise<void> {
  await db.query('CREATE TABLE bench_ballast (id bigint, content text)')
  await db.query('ALTER TABLE bench_ballast ALTER content SET STORAGE PLAIN')
  const rows = Math.round((gigabytes * 1e9) / rowBytes)
  for (let from = 0; from < rows; from += 20_000)
    await db.query(
      `INSERT INTO bench_ballast SELECT n, repeat('{"verb": "use", "object": ', 20) || (SELECT string_agg(md5(n::text || m), '') FROM generate_series(1, 14) m) FROM generate_series($1::bigint, $2::bigint) n`,
      [from, Math.min(rows, from + 20_000) - 1],
    )
  // Autovacuum and the checkpoint would otherwise fall into the measurement.
  await db.query('VACUUM (FREEZE) bench_ballast')
  await db.query('CHECKPOINT')
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

async function run(args: readonly string[], env: Record<string, string>, input = ''): Promise<string> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(input)
  const closed = new Promise<number | null>(resolve => child.once('close', resolve))
  const [said, code] = await Promise.all([text(child.stdout), closed])
  if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}`)
  return said
}
