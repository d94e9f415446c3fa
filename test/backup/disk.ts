import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that can fail: a file system of its own where that may be mounted, else a plain folder. */
export interface FailingDisk extends Disposable {
  readonly path: string
  readonly faults: readonly Fault[]
}

export interface Fault {
  readonly name: string
  begin(): void
  end(): void
}

/** Its size in bytes is more than a few backups take. */
export function makeDisk(megabytes: number): FailingDisk {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  chmodSync(parent, 0o755)
  const path = join(parent, 'disk')
  mkdirSync(path, { mode: 0o700 })
  const mount = (...options: string[]) => execFileSync('mount', [...options, path], { stdio: 'ignore' })
  const plug = () => mount('-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs')
  const unplug = () => execFileSync('umount', ['-l', path], { stdio: 'ignore' })
  if (!canDo(plug))
    return {
      path,
      faults: faultsOfFolder(path),
      [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true }),
    }
  return {
    path,
    faults: [
      { name: 'full', begin: () => fill(path, megabytes), end: () => rmSync(join(path, 'ballast')) },
      { name: 'read-only', begin: () => mount('-o', 'remount,ro'), end: () => mount('-o', 'remount,rw') },
      { name: 'unplugged', begin: unplug, end: plug },
    ],
    [Symbol.dispose]() {
      canDo(unplug)
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

/** Without the right to mount, a folder cannot be full. */
function faultsOfFolder(path: string): Fault[] {
  return [
    { name: 'read-only', begin: () => chmodSync(path, 0o500), end: () => chmodSync(path, 0o700) },
    {
      name: 'unplugged',
      begin: () => renameSync(path, `${path}-away`),
      end: () => renameSync(`${path}-away`, path),
    },
  ]
}

function fill(path: string, megabytes: number): void {
  canDo(() => writeFileSync(join(path, 'ballast'), Buffer.alloc(megabytes * 1024 * 1024)))
}

function canDo(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
