import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/release/bundle.ts'

/** Whether this is `npm run soak -- 1 release`, which has built everything before. */
export const isPublished = process.env.GATEHOUSE_RELEASE !== undefined

export const published = join(root, 'dist/release')

/** Returns the path of the one published file whose name matches. */
export function findPublished(pattern: RegExp): string {
  const [name, another] = readdirSync(published).filter(file => pattern.test(file))
  if (!name || another)
    throw new Error(`${published} has ${name ? 'several files' : 'no file'} like ${pattern}`)
  return join(published, name)
}

/** The environment of a user who has no checkout: the pinned Node is not in the PATH. */
export const plainEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter(folder => !folder.includes('node_modules'))
    .join(delimiter),
  NODE_OPTIONS: '',
  NODE_COMPILE_CACHE: '',
}

/** Runs a program to its end and returns what it printed. */
export async function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: object } = {},
): Promise<string> {
  const env = { ...plainEnv, ...options.env }
  const { stdout } = await promisify(execFile)(program, [...args], { ...options, env, maxBuffer: 1e8 })
  return stdout
}

/** Whether all programs are installed here. A test that needs others is skipped, and says so by its name. */
export function hasPrograms(...names: readonly string[]): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return names.every(name => folders.some(folder => existsSync(join(folder, name))))
}
