import type { Client } from '@gatehouse-access/sdk'
import type { Folded } from './fold.ts'

const mostAtOnce = 100
/** Whoever takes a cause takes at most so many of what it explains along. The others stay open and say so. */
const mostExplained = 2000

/** Acknowledges alarms and what they explain. Returns the ids of those that were open. */
export async function acknowledgeAll(client: Client, folded: readonly Folded[]): Promise<readonly string[]> {
  const ids = new Set<string>()
  for (const { head, explained } of folded) {
    if (head.state === 'open') ids.add(head.id)
    if (explained.length > 0) for (const id of await explainedBy(client, head.id)) ids.add(id)
  }
  const taken: string[] = []
  const all = [...ids]
  for (let at = 0; at < all.length; at += mostAtOnce) {
    const { alarm_ids } = await client.alarms.acknowledge_many({ alarm_ids: all.slice(at, at + mostAtOnce) })
    taken.push(...alarm_ids)
  }
  return taken
}

/** What is loaded may be only part of what a cause explains. */
async function explainedBy(client: Client, cause_alarm_id: string): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id } of client.alarms.all({ cause_alarm_id, state: 'open', limit: mostAtOnce })) {
    ids.push(id)
    if (ids.length === mostExplained) break
  }
  return ids
}
