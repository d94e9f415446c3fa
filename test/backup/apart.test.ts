import { readdirSync, readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '@gatehouse-access/testkit'
import { expect, test, vi } from 'vitest'
import { listIds, makeInstallation } from './installation.ts'

const patience = { timeout: 60_000, interval: 100 }
/** SCHED_IDLE */
const idle = '5'

/** Returns the policy by which a thread is scheduled: the 41st field, of which the second may have spaces. */
function policyOf(pid: string, task: string): string | undefined {
  const text = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[38]
}

/** Returns the process that makes a backup of this data folder, once it gives way. */
async function findMaker(data_dir: string): Promise<number> {
  const isMaker = (pid: string) => {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return args.some(text => text.endsWith('backup-process.ts')) && args.includes(data_dir)
  }
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(2))
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
      try {
        if (!isMaker(pid)) continue
        const tasks = readdirSync(`/proc/${pid}/task`)
        if (tasks.every(task => policyOf(pid, task) === idle)) return Number(pid)
      } catch {
        // It has ended meanwhile.
      }
  throw new Error('no process makes a backup')
}

test(
  'a backup that is due is made by a process that gives way; if it is killed, the next one is made',
  within(120),
  async () => {
    await using house = await makeInstallation()
    house.env.GATEHOUSE_LOG_LEVEL = 'error'
    let said = ''
    const log = new PassThrough().on('data', chunk => {
      said += chunk
    })
    const backups = { archive: 400, look: 400, retry: 200, drills: false }
    await using server = await house.start({ log, backups })
    process.kill(await findMaker(house.data.path), 'SIGKILL')
    await vi.waitFor(() => expect(said).toContain('ended early, with SIGKILL'), patience)
    await vi.waitFor(async () => expect(await listIds(house, 'physical')).toHaveLength(1), patience)
    expect((await house.run(['backup', 'verify'])).code).toBe(0)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  },
)
