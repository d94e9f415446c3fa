import { availableParallelism, loadavg } from 'node:os'

/** How much slower this machine is than an idle one, estimated from its load. Timeouts are scaled by it. */
export const slowness = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
