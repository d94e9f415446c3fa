import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Platform } from './platform.ts'

/** The machine itself. Its monotonic clock goes on while the process does not, so a restarted one knows the time. */
export function nodePlatform(): Platform {
  return {
    monotonic: () => Number(process.hrtime.bigint() / 1000n),
    wall: () => Date.now() * 1000,
    boot_id: readBootId(),
    random: Math.random,
    later(milliseconds, run) {
      const timer = setTimeout(run, milliseconds)
      return () => clearTimeout(timer)
    },
  }
}

/** If the machine has no boot id, every start of the process counts as a start of the machine. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return randomUUID()
  }
}
