import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Pool } from '@gatehouse-access/server'
import { type Check, type Finding, failure, skipped, warning, well } from '../check.ts'

const run = promisify(execFile)
const megabyte = 1024 * 1024

export const disk: Check = {
  id: 'disk',
  async look({ config: { data_dir } }) {
    const found = await statfs(nearest(data_dir))
    const free = Math.floor((found.bavail * found.bsize) / megabyte)
    const share = Math.floor((100 * found.bavail) / found.blocks)
    const what = `${free} MB (${share} %) are free on the disk of ${data_dir}`
    const advice = 'Make room, or move the data folder to a larger disk.'
    if (free < 512) return failure(`${what}: only revocations and doors can still write.`, advice)
    return free < 2048 || share < 10 ? warning(`${what}.`, advice) : well(`${what}.`)
  },
}

/** The folder itself, or the one in which it would be made. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder))
}

/** Seconds. Codes of authenticator apps and passes of phones allow for about this much. */
const mostOffset = 2

/** Asks the first that knows: chrony, systemd, or a database on another machine. */
export const clock: Check = {
  id: 'clock',
  async look({ config, db }) {
    const remote = config.database_url && db ? await offsetOf(db) : undefined
    return (
      (await askChrony()) ??
      (await askSystemd()) ??
      (remote === undefined
        ? skipped(
            'Neither chrony nor systemd knows how exact the clock is, and the database has the same one.',
          )
        : judge(remote, "the database's clock"))
    )
  },
}

async function askChrony(): Promise<Finding | undefined> {
  const found = await run('chronyc', ['-c', 'tracking'], { timeout: 3000 }).catch(() => undefined)
  const offset = Number(found?.stdout.split(',')[4] ?? Number.NaN)
  return Number.isFinite(offset) ? judge(offset, 'network time, as chrony measures it') : undefined
}

async function askSystemd(): Promise<Finding | undefined> {
  const flags = ['show', '--property=NTPSynchronized', '--value']
  const found = await run('timedatectl', flags, { timeout: 3000 }).catch(() => undefined)
  const answer = found?.stdout.trim()
  if (answer === 'yes') return well('The clock follows network time, as systemd says.')
  return answer === 'no'
    ? warning('The clock does not follow network time, as systemd says.', advice)
    : undefined
}

const advice =
  'Install chrony or turn on systemd-timesyncd: schedules, codes and certificates need the right time.'

function judge(offset: number, source: string): Finding {
  const what = `The clock is ${Math.abs(offset).toFixed(3)} s off ${source}`
  return Math.abs(offset) > mostOffset ? failure(`${what}.`, advice) : well(`${what}.`)
}

async function offsetOf(db: Pool): Promise<number> {
  const before = Date.now()
  const [row] = await db.query<{ seconds: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds',
  )
  const between = (before + Date.now()) / 2000
  return between - Number(row?.seconds)
}
