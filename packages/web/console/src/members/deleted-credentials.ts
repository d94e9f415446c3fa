import type { SiteZone } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { t } from '../language/t.ts'
import type { DeletedLine } from '../parts/deleted-lines.tsx'
import { inZone, momentAt } from '../parts/door-time.ts'
import { linesOf, type Seen } from './credential-lines.tsx'
import type { Member } from './member.ts'

type DeletedCard = Member['cards'][number] & {
  /** Missing if the role does not see it any more. */
  readonly card?: { readonly lost_at: string | null }
}

/** Of what is deleted, links and tokens are gone for good. A lost card is given to nobody until it is found. */
export async function loadDeleted(
  client: Client,
  { id: member_id }: Member,
  seen: Seen,
  signal: AbortSignal,
) {
  const query = { is_deleted: true, limit: 100, signal } as const
  const [emails, pins, cards] = await Promise.all([
    Array.fromAsync(client.member_emails.all(member_id, query)),
    Array.fromAsync(client.member_pins.all(member_id, query)),
    Array.fromAsync(client.member_cards.all<DeletedCard>(member_id, { ...query, expand: ['card'] })),
  ])
  const lost = new Map(cards.map(({ id, card }) => [id, card?.lost_at]))
  const lines = linesOf(client, { id: member_id, emails, pins, cards, magic_links: [], tokens: [] }, seen)
  const data = lines.flatMap<DeletedLine>(({ id, name, more, card, restore }) => {
    const lost_at = lost.get(id)
    if (card && lost_at)
      return [{ id, name, more: lostWords(lost_at, seen.zone), href: `/cards/${card.card_id}` }]
    return restore ? [{ id, name, more, restore }] : []
  })
  return { data, has_next: false }
}

function lostWords(at: string, zone: SiteZone | undefined): string {
  return t(`Reported lost on ${inZone(momentAt(at, zone), zone)}`)
}
