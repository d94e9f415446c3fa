import type { Context } from '../../services/objects/context.ts'
import type { LaneName } from '../turnstile/turnstile.ts'
import { storageFull } from './errors.ts'

/** Ordinary writes leave the reserve of the disk to the others. */
export function refuseInLane({ disk }: Pick<Context, 'disk'>, lane: LaneName, request_id: string): void {
  if (lane === 'ordinary' ? disk.is_full() : disk.is_exhausted()) throw storageFull(undefined, request_id)
}
