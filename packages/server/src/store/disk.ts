import { statfs } from 'node:fs/promises'

export type DiskOptions = {
  path: string
  minimum_bytes?: number
  interval_ms?: number
  signal?: AbortSignal
}

export type Disk = AsyncDisposable & { is_full: () => boolean }

/** Knows whether the disk below a path is nearly full, so that writes are refused before PostgreSQL runs dry. */
export async function watchDisk(options: DiskOptions): Promise<Disk> {
  const { path, minimum_bytes = 512 * 1024 * 1024, interval_ms = 1000, signal } = options
  let full = await isBelow(path, minimum_bytes, false)
  const timer = setInterval(async () => {
    full = await isBelow(path, minimum_bytes, full)
  }, interval_ms).unref()
  const end = () => clearInterval(timer)
  signal?.addEventListener('abort', end, { once: true })
  return { is_full: () => full, [Symbol.asyncDispose]: async () => end() }
}

// What cannot be measured keeps its last answer: an unmounted folder is the database's error to report.
async function isBelow(path: string, minimum_bytes: number, last: boolean): Promise<boolean> {
  const disk = await statfs(path).catch(() => undefined)
  return disk ? disk.bavail * disk.bsize < minimum_bytes : last
}
