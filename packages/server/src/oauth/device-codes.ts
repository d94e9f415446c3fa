import { type Adapter, errors } from 'oidc-provider'
import type { Context } from '../services/objects/context.ts'
import { digest } from '../vault/vault.ts'
import { artifactsOf } from './artifacts.ts'
import { exchangeablesOf } from './exchangeables.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config'>

/** Seconds between two requests of a waiting terminal, at least. */
export const pollInterval = 5

/** Stores the codes with which terminals wait for a user. Only the page at /device looks them up by user code. */
export function deviceCodesOf(part: Needs): Adapter {
  const { upsert } = artifactsOf('DeviceCode', part)
  const exchangeables = exchangeablesOf('DeviceCode', part)
  return {
    ...exchangeables,
    upsert,
    async find(id) {
      if (await isTooEarly(part, id)) throw new errors.SlowDown()
      return exchangeables.find(id)
    },
  }
}

/**
 * Notes that the terminal asked. Each request that comes too early makes all later ones wait 5 seconds longer
 * (RFC 8628, 3.5). A second is left for what delayed the request before.
 */
async function isTooEarly({ db, clock }: Needs, id: string): Promise<boolean> {
  const [row] = await db.query<{ is_early: boolean }>(
    `WITH before AS (
       SELECT kind, id_hash, coalesce(poll_seconds, $3) AS seconds,
         coalesce(polled_at + (coalesce(poll_seconds, $3) - 1) * interval '1 second' > $2::timestamptz, false) AS is_early
       FROM oauth_artifacts WHERE kind = 'DeviceCode' AND id_hash = $1 FOR UPDATE)
     UPDATE oauth_artifacts a SET polled_at = $2,
       poll_seconds = CASE WHEN b.is_early THEN least(b.seconds + 5, 60) ELSE b.seconds END
     FROM before b WHERE a.kind = b.kind AND a.id_hash = b.id_hash RETURNING b.is_early`,
    [digest(id), clock.now(), pollInterval],
  )
  return row?.is_early === true
}
