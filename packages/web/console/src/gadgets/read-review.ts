import type { SiteZone } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { type Actor, readActor } from '../events/read-actor.ts'
import { type Group, ruleExpands } from '../groups/rule.ts'
import type { Door } from '../overview/door.ts'
import { type PersonAccess, peopleOf } from './people-of.ts'

export interface Review {
  readonly items: readonly PersonAccess[]
  /** Whether there are more than were asked for. */
  readonly has_more: boolean
  readonly zone: SiteZone
  readonly groups: ReadonlyMap<string, Group>
  readonly granters: ReadonlyMap<string, string>
}

/** Reads who has access to a door, at most so many, with their groups and the names of those who granted it. */
export async function readReview(
  client: Client,
  door: Door,
  most: number,
  signal?: AbortSignal,
): Promise<Review> {
  const items: PersonAccess[] = []
  let cursor: string | undefined
  do {
    const page = await peopleOf(client, door, {
      limit: 100,
      ...(cursor && { cursor }),
      ...(signal && { signal }),
    })
    items.push(...page.data)
    cursor = page.cursor_next
  } while (cursor && items.length < most)
  signal?.throwIfAborted()
  const rules = items.flatMap(item => item.rules ?? [])
  const ids = rules.map(rule => rule.member_group_id)
  const by = new Map(rules.map(rule => [granterKey(rule.granted_by), rule.granted_by ?? {}]))
  return {
    items,
    has_more: cursor !== undefined,
    zone: await client.sites.zone(door.site_id),
    groups: await readEach(
      ids,
      id => client.member_groups.get(id, { expand: ruleExpands }) as Promise<Group>,
    ),
    granters: await readEach(by.keys(), key => readActor(client, by.get(key) as Actor)),
  }
}

export function granterKey(by: Actor | null | undefined): string {
  return by?.user_id ?? by?.oauth_application_id ?? ''
}

/** Reads a few at once, because a door may have hundreds of groups. */
async function readEach<T>(
  keys: Iterable<string>,
  read: (key: string) => Promise<T>,
): Promise<Map<string, T>> {
  const left = [...new Set(keys)]
  const found = new Map<string, T>()
  while (left.length > 0)
    await Promise.all(left.splice(0, 10).map(async key => found.set(key, await read(key))))
  return found
}
