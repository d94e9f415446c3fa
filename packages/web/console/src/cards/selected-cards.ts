import type { Client } from '@gatehouse-access/sdk'
import type { Card } from './card.ts'

/** Cards by their IDs, or all that the filters of the list find. */
export type Selected =
  | { readonly ids: readonly string[] }
  | { readonly filter: Readonly<Record<string, string>> }

/** How many can be changed at once: the console changes them a hundred at a time, while the user waits. */
export const mostCards = 5_000

const expand = ['member_cards.member']

/** Loads the selected cards with who has them; of all that match, one more than can be changed tells that there are more. */
export async function loadSelected(client: Client, selected: Selected, signal: AbortSignal): Promise<Card[]> {
  const found: Card[] = []
  if ('ids' in selected) {
    const path = (id: string) => `/cards/${id}?expand=${expand}`
    const operations = selected.ids.map(id => ({ method: 'GET' as const, path: path(id) }))
    const answers = await client.bulk(operations, { signal })
    return answers.flatMap(({ status, body }) => (status < 400 ? [body as Card] : []))
  }
  const query = { ...selected.filter, expand, limit: 100, signal }
  for await (const card of client.cards.all<Pick<Card, 'member_cards'>>(query))
    if (found.push(card) > mostCards) break
  return found
}
