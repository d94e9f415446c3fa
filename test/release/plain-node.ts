import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Returns the machine's own Node, which is older than the pinned one, or undefined if it has none. */
export function findPlainNode(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/bin', '/usr/bin']
  const other = folders.filter(folder => !folder.startsWith(root) && !folder.includes('node_modules'))
  return other.map(folder => join(folder, 'node')).find(path => existsSync(path))
}
