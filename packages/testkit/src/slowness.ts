import { availableParallelism, loadavg } from 'node:os'

/** How much longer everything takes on this machine than on a quiet one, by what else runs on it: time-outs grow by it. */
export const slowness = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
