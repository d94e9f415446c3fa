import { invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { behaviour } from '../objects/behaviour.ts'
import { requireOwner } from '../roles/require-owner.ts'

type Hold = StoredOf<Resources['legal_hold']>

/** Seconds. Whoever needs more sets another one then. */
const longest = 5 * 366 * 86_400

export const legalHoldBehaviour = behaviour('legal_hold', {
  settle(after, before, now) {
    if (after.expires_at !== before?.expires_at) checkExpiry(after.expires_at, now)
    checkPeriod(after)
    return {}
  },
  async beforeCreate(work) {
    await requireOwner(work, 'set a legal hold')
    return {}
  },
  async beforeEdit(work) {
    await requireOwner(work, 'change a legal hold')
    return {}
  },
  async beforeDelete(work) {
    await requireOwner(work, 'end a legal hold')
    return {}
  },
})

function checkExpiry(expires_at: string, now: string): void {
  if (expires_at <= now)
    throw invalid('expires_at', `expires_at ${expires_at} is past: a hold has to last until some time ahead`)
  if (expires_at > addSeconds(now, longest))
    throw invalid('expires_at', `expires_at ${expires_at} is too far ahead: a hold lasts at most 5 years`)
}

function checkPeriod({ starts_at, ends_at }: Pick<Hold, 'starts_at' | 'ends_at'>): void {
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at)
    throw invalid('ends_at', `ends_at ${ends_at} must be after starts_at ${starts_at}`)
}
