import { statfs } from 'node:fs/promises'
import { type Ballast, openBallast } from './ballast.ts'

const megabyte = 1024 * 1024

export type DiskOptions = {
  path: string
  /**
   * Free space below which ordinary writes are refused. Only revocations of access, doors and their events
   * may still write.
   */
  reserve_bytes?: number
  /** Free space below which all writes are refused, because PostgreSQL needs it for itself. */
  last_bytes?: number
  ballast_bytes?: number
  interval_ms?: number
  /** Called with the free space when space has become scarce. */
  onScarce?: (free_bytes: number) => void
}

export type Disk = AsyncDisposable & {
  /** Whether ordinary writes are refused. */
  is_full: () => boolean
  /** Whether all writes are refused. */
  is_exhausted: () => boolean
}

/**
 * Monitors the free space below a path, so that writes are refused before PostgreSQL runs out of disk.
 * Ordinary writes are refused first, while enough space is left for the remaining writes to continue for a
 * long time. When that space is nearly used up too, the ballast is released.
 */
export async function watchDisk(options: DiskOptions): Promise<Disk> {
  const { path, interval_ms = 1000, ballast_bytes = 32 * megabyte } = options
  const ballast = openBallast(path, ballast_bytes)
  let state: State = { is_full: false, is_exhausted: false }
  const look = async () => {
    state = await judge(options, ballast, ballast_bytes, state)
  }
  await look()
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => undefined)
  }, interval_ms).unref()
  return {
    is_full: () => state.is_full,
    is_exhausted: () => state.is_exhausted,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await looking
    },
  }
}

interface State {
  readonly is_full: boolean
  readonly is_exhausted: boolean
}

// Keeps the last state if the space cannot be measured: an unmounted folder is for the database to report.
async function judge(
  options: DiskOptions,
  ballast: Ballast,
  ballast_bytes: number,
  last: State,
): Promise<State> {
  const { path, reserve_bytes = 512 * megabyte, last_bytes = 32 * megabyte, onScarce } = options
  const disk = await statfs(path).catch(() => undefined)
  if (!disk) return last
  const free = disk.bavail * disk.bsize
  const is_full = free < reserve_bytes
  const gives = free < last_bytes * 2 && (await ballast.giveBack())
  if (gives || (is_full && !last.is_full)) onScarce?.(free)
  if (free > reserve_bytes + 2 * ballast_bytes) await ballast.take()
  return { is_full, is_exhausted: !gives && free < last_bytes }
}
