import { RequestError } from '@gatehouse-access/api'
import type { Context } from '../../services/objects/context.ts'

/** Refuses writes while the service is recovered: what they build on may be taken back. */
export function refuseWhenRecovered({ recovery }: Pick<Context, 'recovery'>): void {
  if (recovery.is_on) throw recovered()
}

function recovered(): RequestError {
  return new RequestError(
    'unavailable',
    'this service was restored from a backup and is read-only until its operator has confirmed the restore',
    { args: { reason: 'recovered' }, headers: { 'retry-after': '60' } },
  )
}
