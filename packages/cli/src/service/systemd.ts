import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whether systemd runs this machine. It may be installed without, as in a container. */
export const isSystemdRunning = (): boolean => existsSync('/run/systemd/system')

export async function systemctl(...flags: readonly string[]): Promise<string> {
  return (await run('systemctl', [...flags], { timeout: 120_000 })).stdout
}

/** Returns the account that a unit names, and creates it if it is missing. */
export async function ensureAccount(name: string): Promise<{ uid: number; gid: number }> {
  const flags = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin']
  if ((await idOf('-u', name)) === undefined) await run('useradd', [...flags, name])
  return { uid: (await idOf('-u', name)) ?? 0, gid: (await idOf('-g', name)) ?? 0 }
}

async function idOf(flag: '-u' | '-g', name: string): Promise<number | undefined> {
  const found = await run('id', [flag, name]).catch(() => undefined)
  return found && Number(found.stdout)
}
