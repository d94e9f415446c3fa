import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Platform } from './platform.ts'

/** The real machine. Its monotonic clock survives the process, so a restarted process knows the time. */
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

/** Without a boot id, every start of the process counts as a boot. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return randomUUID()
  }
}
