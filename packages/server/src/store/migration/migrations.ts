import { readdir, readFile } from 'node:fs/promises'
import { once } from '../../flow/once.ts'

export interface Migration {
  readonly name: string
  /**
   * Processes of the version before go on working after an `expand`. A `contract` takes away what they use, so
   * it waits until none of them lives. The first line of the file says which it is: `-- expand: why`.
   */
  readonly kind: 'expand' | 'contract'
  readonly text: string
}

const folder = new URL('../../../migrations/', import.meta.url)

/** Read once, at the start: later the process may be a user who cannot read the folder. */
export const loadMigrations = once(async (): Promise<readonly Migration[]> => {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(names.map(load))
})

async function load(name: string): Promise<Migration> {
  const text = await readFile(new URL(name, folder), 'utf8')
  return { name, kind: text.startsWith('-- contract:') ? 'contract' : 'expand', text }
}
