import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DamagedError } from '../archive/damaged-error.ts'
import { writeDurably } from '../folder/durable-file.ts'
import type { Drill } from '../folder/own-files.ts'

/** A note at a backup that it was read whole, or restored. The newest such backup is never pruned. */
interface Mark {
  readonly id: string
  readonly at: string
}

const pattern = /^(.+)\.(verified|drilled)$/

export async function mark(folder: string, id: string, how: 'verified' | 'drilled'): Promise<void> {
  const text = JSON.stringify({ id, at: new Date().toISOString() } satisfies Mark)
  await writeDurably(join(folder, `${id}.${how}`), sink =>
    sink.write(Buffer.from(`${text}\n${hash('sha256', text)}\n`)),
  )
}

/** Reads a mark. Throws a DamagedError that names the file if it is not as it was written. */
async function readMark(path: string): Promise<Mark> {
  const text = await readFile(path, 'utf8')
  const [line = ''] = text.split('\n')
  if (text !== `${line}\n${hash('sha256', line)}\n`)
    throw new DamagedError(`${path} is damaged: it was altered`)
  return JSON.parse(line)
}

/** Returns the backups that were verified or restored. */
export async function listVerified(folder: string): Promise<Set<string>> {
  const names = await readdir(folder)
  return new Set(names.flatMap(name => pattern.exec(name)?.[1] ?? []))
}

/** Returns a sentence about each mark that is not as it was written. */
export async function findDamagedMarks(folder: string): Promise<string[]> {
  const errors: string[] = []
  for (const name of (await readdir(folder)).filter(one => pattern.test(one)))
    await readMark(join(folder, name)).catch(error => errors.push(error.message))
  return errors
}

/** Returns the last drill: that of this data folder, or one of another process, marked at a backup. */
export async function findLastDrill(
  folder: string | undefined,
  own: Drill | undefined,
): Promise<Drill | undefined> {
  const names = folder ? await readdir(folder).catch(() => []) : []
  let last = own
  for (const name of names.filter(one => one.endsWith('.drilled'))) {
    const found = await readMark(join(folder ?? '', name)).catch(() => undefined)
    if (found && (!last || found.at > last.at)) last = { ...found, reached: found.at, error: null }
  }
  return last
}
