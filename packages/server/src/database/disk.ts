import { statfs } from 'node:fs/promises'
import { type Ballast, openBallast } from './ballast.ts'

const megabyte = 1024 * 1024

export type DiskOptions = {
  path: string
  /** Below this much room only what takes access away, doors and their events still write. */
  reserve_bytes?: number
  /** Below this much nothing writes: PostgreSQL needs it for itself. */
  last_bytes?: number
  ballast_bytes?: number
  interval_ms?: number
  /** Called when room has become scarce, with how much there is. */
  onScarce?: (free_bytes: number) => void
}

export type Disk = AsyncDisposable & {
  /** Ordinary writes are refused. */
  is_full: () => boolean
  /** All writes are. */
  is_exhausted: () => boolean
}

/**
 * Knows how much room there is below a path, so that writes are refused before PostgreSQL runs dry: the ordinary ones while
 * enough is left for the others to go on for long. When even that is nearly used up, the ballast is given back.
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

// What cannot be measured keeps its last answer: an unmounted folder is the database's error to report.
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
