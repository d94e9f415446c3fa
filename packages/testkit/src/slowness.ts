import { availableParallelism, loadavg } from 'node:os'

/**
 * Returns how much slower this machine is than an idle one, estimated from its load. Timeouts are scaled by it, at
 * their end where possible: when a file of tests begins, the others may not have begun.
 */
export function slowness(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}
