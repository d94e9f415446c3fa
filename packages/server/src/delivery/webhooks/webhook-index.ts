import { type Condition, type FilterRule, matches, ruleConditions } from '@gatehouse/api'
import type { FeedEvent } from '../../events/feed-event.ts'
import { comparePositions } from '../../events/position.ts'

/** A webhook as matching needs it. */
export interface Subscriber {
  readonly id: string
  readonly organization_id: string
  readonly oauth_application_id: string
  readonly filter: readonly FilterRule[]
  readonly expand: readonly string[]
  /** Everything before this place in the feed happened before the webhook was there. */
  readonly since: string
}

interface Entry {
  readonly webhook: Subscriber
  /** What a rule asks beyond type and verb. */
  readonly conditions: readonly Condition[]
}

const anyVerb = '*'

/**
 * All webhooks that are switched on, found by organization, object type and verb: an event is held against the filters
 * that can match it and against no other.
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

  /** Each matching webhook once, however many of its rules match. */
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
