import { RequestError } from '@gatehouse-access/api'
import { addSeconds, epochMilliseconds } from '@gatehouse-access/core'
import type { Caller } from '../../store/caller.ts'
import type { Context, Work } from '../objects/context.ts'

/**
 * A caller who chooses a PIN learns whether it is taken. A successful request leaves a PIN and its event. A
 * failed one leaves nothing, whatever the reason, so failures are limited per application or user.
 */
const budgets = [
  { seconds: 3600, most: 20 },
  { seconds: 24 * 3600, most: 100 },
] as const

/** Call before looking up a PIN that the service did not generate. */
export async function allowPinLookup(work: Work): Promise<void> {
  for (const { seconds, most } of budgets) {
    const [spent] = await work.db.query<{ looked_up_at: string }>(
      `SELECT looked_up_at FROM pin_lookups WHERE organization_id = $1 AND caller_id = $2 AND looked_up_at > $3
       ORDER BY looked_up_at DESC OFFSET ${most - 1} LIMIT 1`,
      [work.caller.organization_id, idOf(work.caller), addSeconds(work.now, -seconds)],
    )
    if (spent) throw tooMany(addSeconds(spent.looked_up_at, seconds), work.now)
  }
  await work.onPinLookup?.()
}

/** Call after a request with a PIN lookup has failed. Returns the time under which it is counted. */
export async function countPinLookup({ db, clock }: Context, caller: Caller): Promise<string> {
  const now = clock.now()
  await db.query('INSERT INTO pin_lookups (organization_id, caller_id, looked_up_at) VALUES ($1, $2, $3)', [
    caller.organization_id,
    idOf(caller),
    now,
  ])
  return now
}

/** Takes back one that was counted at this time. Those of the same time are alike. */
export async function uncountPinLookup({ db }: Context, caller: Caller, looked_up_at: string): Promise<void> {
  await db.query(
    `DELETE FROM pin_lookups WHERE ctid = (SELECT ctid FROM pin_lookups
     WHERE organization_id = $1 AND caller_id = $2 AND looked_up_at = $3 LIMIT 1)`,
    [caller.organization_id, idOf(caller), looked_up_at],
  )
}

function idOf({ oauth_application_id, user_id }: Caller): string {
  return oauth_application_id ?? user_id ?? ''
}

function tooMany(until: string, now: string): RequestError {
  const seconds = Math.max(1, Math.ceil((epochMilliseconds(until) - epochMilliseconds(now)) / 1000))
  return new RequestError(
    'rate_limited',
    `too many requests that name a PIN have failed; leave pin out to get a generated one, or try again in ${seconds} s`,
    { headers: { 'retry-after': String(seconds) } },
  )
}
