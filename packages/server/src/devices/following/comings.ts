import type { EventSubject } from '@gatehouse-access/api'
import {
  accessMethods,
  arrivalsBy,
  departuresBy,
  type Policy,
  type Steps,
  toMicroseconds,
} from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { recordArrival, recordDeparture } from '../../doors/arrivals.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import type { PolicyCache } from '../../policy/cache.ts'
import { serviceCaller } from '../../store/caller.ts'

/** Somebody came first or left last, by one rule. */
export interface Coming {
  readonly organization_id: string
  readonly unlock_rule_id: string
  readonly kind: 'arrival' | 'departure'
  readonly at: string
  readonly subject: EventSubject
}

/**
 * Returns what the events mean for unlock rules. Events are of one organization and in order: an arrival that is
 * found here counts for those after it once it is recorded, so of several in one batch the first is enough.
 */
export function findComings(
  policies: Pick<PolicyCache, 'ask'>,
  organizationId: string,
  events: readonly StoredEvent[],
): Promise<Coming[]> {
  return policies.ask(organizationId, policy => comingsIn(policy, organizationId, events))
}

function* comingsIn(
  policy: Policy,
  organization_id: string,
  events: readonly StoredEvent[],
): Steps<Coming[]> {
  const found = new Map<string, Coming>()
  for (const event of events) {
    const { created_at: at, subject } = event
    const arrived = arrivals(policy, event).map(id => [id, 'arrival'] as const)
    const left = departures(policy, event).map(id => [id, 'departure'] as const)
    for (const [unlock_rule_id, kind] of [...arrived, ...left]) {
      const key = `${kind} ${unlock_rule_id}`
      if (!found.has(key)) found.set(key, { organization_id, unlock_rule_id, kind, at, subject })
    }
    yield
  }
  return [...found.values()]
}

/** Only who stands before the door counts, so methods other than these do not. */
function arrivals(policy: Policy, { created_at, object, subject, verb }: StoredEvent): string[] {
  const access_method = accessMethods.find(method => method === subject.access_method)
  const { gadget_action_id, gadget_id, type } = object
  if (verb !== 'use' || type !== 'gadget_action' || !access_method || !subject.member_id) return []
  if (!gadget_id || !gadget_action_id) return []
  return arrivalsBy(policy, {
    member_id: subject.member_id,
    gadget_id,
    action_id: gadget_action_id,
    access_method,
    at: toMicroseconds(created_at),
  })
}

function departures(policy: Policy, { created_at, object, verb }: StoredEvent): string[] {
  const { gadget_id, gadget_signal_id, type } = object
  if (verb !== 'create' || type !== 'gadget_signal' || !gadget_id || !gadget_signal_id) return []
  return departuresBy(policy, gadget_id, gadget_signal_id, toMicroseconds(created_at))
}

export async function recordComings(db: Database, comings: readonly Coming[], now: string): Promise<void> {
  for (const { organization_id, unlock_rule_id, kind, at, subject } of comings) {
    const caller = { ...serviceCaller(organization_id), subject: () => subject }
    const record = kind === 'arrival' ? recordArrival : recordDeparture
    await record({ db, caller, now }, unlock_rule_id, at)
  }
}
