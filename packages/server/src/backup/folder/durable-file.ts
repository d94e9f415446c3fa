import { randomBytes } from 'node:crypto'
import { chown, type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sink } from '../archive/write-archive.ts'

const partial = '.partial'

export function isPartial(name: string): boolean {
  return name.endsWith(partial)
}

/**
 * Writes a file under a name of its own, and gives it its name once all of it is on the disk: a file without
 * `.partial` is whole. What could not be finished is removed.
 */
export async function writeDurably<T>(path: string, fill: (sink: Sink) => Promise<T>): Promise<T> {
  const draft = `${path}.${randomBytes(3).toString('hex')}${partial}`
  try {
    const result = await fillDraft(draft, fill)
    await rename(draft, path)
    await syncPath(dirname(path))
    return result
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
}

async function fillDraft<T>(draft: string, fill: (sink: Sink) => Promise<T>): Promise<T> {
  const file = await open(draft, 'w', 0o600)
  try {
    await giveToOwner(draft)
    const result = await fill({ write: bytes => writeWhole(file, bytes) })
    await file.sync()
    return result
  } finally {
    await file.close()
  }
}

/** Throws if the folder does not take a file. */
export async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, 'probe')
  await writeDurably(path, sink => sink.write(randomBytes(64 * 1024)))
  await rm(path)
}

/** A command that root runs leaves files that the service can read: they belong to the owner of the folder. */
export async function giveToOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  if (uid !== 0) await chown(path, uid, gid)
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten
}

/** Waits until a file, or what a folder lists, is on the disk. */
export async function syncPath(path: string): Promise<void> {
  const opened = await open(path)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
