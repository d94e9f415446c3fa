import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const here = resolve(import.meta.dirname, '../..')

/**
 * Makes a folder with the program as of a commit. It uses the dependencies of this checkout, beside its own
 * packages under the names that they had.
 */
export async function checkOut(commit: string): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-release-'))
  const script = 'git -C "$1" archive "$2" packages package.json | tar -x -C "$3"'
  await promisify(execFile)('sh', ['-c', script, 'sh', here, commit, path])
  for (const name of await readdir(join(here, 'node_modules'))) {
    if (name.startsWith('@gatehouse')) continue
    await link(join(here, 'node_modules', name), join(path, 'node_modules', name))
  }
  for (const name of await readdir(join(path, 'packages'))) {
    const about = JSON.parse(await readFile(join(path, 'packages', name, 'package.json'), 'utf8'))
    await link(join(path, 'packages', name), join(path, 'node_modules', about.name))
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

async function link(to: string, from: string): Promise<void> {
  await mkdir(dirname(from), { recursive: true })
  await symlink(to, from)
}
