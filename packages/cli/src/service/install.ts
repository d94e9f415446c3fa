import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { ensureAccount, isSystemdRunning, systemctl } from './systemd.ts'
import { describeFolders, describeUnit, placesOf, type UnitName } from './unit.ts'
import { writeFile } from './write-file.ts'

export interface Installing {
  readonly name: UnitName
  /** `/`, or a folder in which a machine is prepared: nothing is started there. */
  readonly root: string
  /** Folders that the service writes to beside its usual one. */
  readonly folders: readonly string[]
  print(line: string): void
}

/** Writes the unit, enables and starts it. Done again, it changes nothing but what is different. */
export async function installService({ name, root, folders, print }: Installing): Promise<void> {
  const { unit, folders: drop_in, packaged } = placesOf(name, root)
  const wish = (path: string, text: string) =>
    print(writeFile(path, text, 0o644) ? `Wrote ${path}.` : `${path} is as it should be.`)
  if (!packaged.some(existsSync)) wish(unit, describeUnit(name, root))
  if (folders.length > 0) wish(drop_in, describeFolders(folders))
  if (root !== '/') return
  await ensureAccount(name)
  if (!isSystemdRunning())
    return print(
      `systemd does not run this machine: nothing was started. With it: systemctl enable --now ${name}.`,
    )
  await systemctl('daemon-reload')
  await systemctl('enable', name)
  await systemctl('restart', name)
  print(`${name} is running, and starts with the machine.`)
}

/** Stops the service and removes its unit. Settings and data stay. */
export async function uninstallService({ name, root, print }: Omit<Installing, 'folders'>): Promise<void> {
  const { unit, folders, packaged } = placesOf(name, root)
  const isLive = root === '/' && isSystemdRunning()
  if (isLive) await systemctl('disable', '--now', name).catch(() => '')
  for (const path of [unit, folders])
    if (existsSync(path)) {
      rmSync(path)
      print(`Removed ${path}.`)
    }
  rmSync(dirname(folders), { recursive: true, force: true })
  if (isLive) await systemctl('daemon-reload')
  if (packaged.some(existsSync)) print(`The unit belongs to a package: apt remove ${name} removes it.`)
  print('Settings and data stay where they are.')
}
