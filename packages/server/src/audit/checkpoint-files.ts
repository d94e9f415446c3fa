import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

const pattern = /^checkpoint-\d{12}\.txt$/

/** Whole or not at all, and on the disk before the database forgets that it is needed. */
export async function keepCheckpoint(folder: string, number: number, document: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `checkpoint-${String(number).padStart(12, '0')}.txt`)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(document)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/** The documents that were kept, oldest first. */
export async function readCheckpoints(folder: string): Promise<{ name: string; document: string }[]> {
  const names = (await readdir(folder)).filter(name => pattern.test(name)).sort()
  return Promise.all(
    names.map(async name => ({ name, document: await readFile(join(folder, name), 'utf8') })),
  )
}
