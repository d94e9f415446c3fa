import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { codeOf } from '../flow/failures.ts'

const pattern = /^checkpoint-(\d{12})\.txt$/

export interface Kept {
  readonly number: number
  readonly name: string
  readonly document: string
}

export async function keepCheckpoint(folder: string, number: number, document: string): Promise<void> {
  await replaceFile(pathOf(folder, number), document)
}

/** Replaces the file atomically and syncs its content to disk. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Returns the stored checkpoints, oldest first. */
export async function readCheckpoints(folder: string): Promise<Kept[]> {
  return Promise.all((await listCheckpoints(folder)).map(number => readCheckpoint(pathOf(folder, number))))
}

export async function readLastCheckpoint(folder: string): Promise<Kept | undefined> {
  const number = (await listCheckpoints(folder)).at(-1)
  return number === undefined ? undefined : readCheckpoint(pathOf(folder, number))
}

export async function readCheckpoint(name: string): Promise<Kept> {
  return { number: Number(pattern.exec(basename(name))?.[1]), name, document: await readFile(name, 'utf8') }
}

function pathOf(folder: string, number: number): string {
  return join(folder, `checkpoint-${String(number).padStart(12, '0')}.txt`)
}

async function listCheckpoints(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(error => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap(name => (pattern.exec(name) ? [Number(pattern.exec(name)?.[1])] : []))
    .sort((a, b) => a - b)
}
