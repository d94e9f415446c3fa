import { type Condition, type FilterRule, matches, ruleConditions } from '@gatehouse-access/api'
import type { FeedEvent } from '../../events/feed-event.ts'
import { comparePositions } from '../../events/position.ts'

/** The fields of a webhook that matching needs. */
export interface Subscriber {
  readonly id: string
  readonly organization_id: string
  readonly oauth_application_id: string
  readonly filter: readonly FilterRule[]
  readonly expand: readonly string[]
  /** Feed position from which the webhook exists. Earlier events do not match. */
  readonly since: string
}

interface Entry {
  readonly webhook: Subscriber
  /** Conditions of a rule beyond type and verb. */
  readonly conditions: readonly Condition[]
}

const anyVerb = '*'

/**
 * Indexes the enabled webhooks by organization, object type and verb, so that an event is only checked
 * against filters that can match it.
 */
export class WebhookIndex {
  #entries = new Map<string, Set<Entry>>()
  #byWebhook = new Map<string, { key: string; entry: Entry }[]>()

  put(webhook: Subscriber): void {
    this.remove(webhook.id)
    const places = webhook.filter.map(rule => this.#add(webhook, rule))
    this.#byWebhook.set(webhook.id, places)
  }

  remove(id: string): void {
    for (const { key, entry } of this.#byWebhook.get(id) ?? []) {
      const entries = this.#entries.get(key)
      entries?.delete(entry)
      if (entries?.size === 0) this.#entries.delete(key)
    }
    this.#byWebhook.delete(id)
  }

  /** Returns each matching webhook once, even if several of its rules match. */
  match({ event, position }: FeedEvent): Subscriber[] {
    const { type } = event.object
    const found = new Set<Subscriber>()
    for (const verb of [event.verb, anyVerb])
      for (const { webhook, conditions } of this.#entries.get(keyOf(event, type, verb)) ?? [])
        if (!found.has(webhook) && matches(conditions, event) && isSince(webhook, position))
          found.add(webhook)
    return [...found]
  }

  #add(webhook: Subscriber, rule: FilterRule): { key: string; entry: Entry } {
    const { object_type, 'object.type': type = object_type, verb, ...rest } = rule
    const key = keyOf(webhook, String(type), verb ?? anyVerb)
    const entry = { webhook, conditions: ruleConditions(rest) }
    const entries = this.#entries.get(key) ?? new Set()
    this.#entries.set(key, entries.add(entry))
    return { key, entry }
  }
}

function keyOf(
  { organization_id }: { readonly organization_id: string },
  type: string,
  verb: string,
): string {
  return `${organization_id} ${type} ${verb}`
}

function isSince({ since }: Subscriber, position: string): boolean {
  return comparePositions(position, since) > 0
}
