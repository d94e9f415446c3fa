import type { Context } from '../../services/objects/context.ts'
import type { LaneName } from '../turnstile/turnstile.ts'
import { storageFull } from './errors.ts'

/** Ordinary writes are refused first: the disk reserve is kept for the other lanes. */
export function refuseInLane({ disk }: Pick<Context, 'disk'>, lane: LaneName, request_id: string): void {
  if (lane === 'ordinary' ? disk.is_full() : disk.is_exhausted()) throw storageFull(undefined, request_id)
}
