import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

const size_limit = 8 * 1024 * 1024

/** PostgreSQL's own log. It takes at most twice the size limit on disk: the older half is in `<path>.1`. */
export type LogFile = Disposable & {
  descriptor: number
  size: () => number
  /** Returns the last fatal message written after the log had this size. */
  fatalSince: (size: number) => string | undefined
}

export function openLogFile(path: string): LogFile {
  const descriptor = openSync(path, 'a+', 0o600)
  rotate(path, descriptor)
  const timer = setInterval(rotate, 60_000, path, descriptor).unref()
  return {
    descriptor,
    size: () => fstatSync(descriptor).size,
    fatalSince: size => findFatal(descriptor, size),
    [Symbol.dispose]: () => {
      clearInterval(timer)
      closeSync(descriptor)
    },
  }
}

// PostgreSQL keeps the file open, so it is copied and truncated instead of renamed.
function rotate(path: string, descriptor: number): void {
  if (fstatSync(descriptor).size < size_limit) return
  copyFileSync(path, `${path}.1`)
  ftruncateSync(descriptor)
}

function findFatal(descriptor: number, size: number): string | undefined {
  const buffer = Buffer.alloc(64 * 1024)
  const length = readSync(descriptor, buffer, 0, buffer.length, size)
  const lines = buffer.toString('utf8', 0, length).split('\n')
  return lines
    .findLast(line => /(FATAL|PANIC|postgres): /.test(line))
    ?.replace(/^.*?(FATAL|PANIC|postgres): +/, '')
}
