import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf } from '../../flow/failures.ts'

/** The part of `postmaster.pid` that is read here. */
type PidFile = { pid: number; is_ready: boolean }

export async function readPidFile(database_dir: string): Promise<PidFile | undefined> {
  const text = await readFile(join(database_dir, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0 ? { pid, is_ready: lines[7]?.trim() === 'ready' } : undefined
}

/** Whether the process is the PostgreSQL of this folder, not another process that reuses its pid. */
export async function isPostmaster(pid: number, database_dir: string): Promise<boolean> {
  return (await readCommand(pid)).includes(`/postgres -D ${database_dir} `)
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

// Linux may lack `ps`, and macOS has no /proc.
async function readCommand(pid: number): Promise<string> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
  const found = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
    () => undefined,
  )
  return found?.stdout ?? ''
}
