import { type JournalEvent, mostUnknownCards } from '@gatehouse-access/api'
import type { Write } from '../../store/write.ts'
import { isAcceptable } from './acceptable.ts'
import type { References } from './references.ts'

export interface UnknownCard {
  readonly uid: string
  readonly gadget_id: string | null
  readonly seen_at: string
}

/** Returns the card that an event tells of, if it is one that the reader does not know. */
export function unknownCardOf(references: References, event: JournalEvent, at: string): UnknownCard[] {
  if (event.type !== 'denial' || event.reason !== 'unknown_credential' || !event.card_uid) return []
  if (!isAcceptable(references, event)) return []
  return [{ uid: event.card_uid, gadget_id: event.gadget_id ?? null, seen_at: at }]
}

/** Keeps unknown cards for a while, so that they can be given to somebody. */
export async function noteUnknownCards(
  { db, caller }: Write,
  device: { readonly id: string },
  cards: readonly UnknownCard[],
): Promise<void> {
  if (cards.length === 0) return
  const place = [caller.organization_id, device.id]
  await db.query(
    `INSERT INTO unknown_cards (organization_id, device_id, seen_at, uid, gadget_id)
     SELECT $1, $2, c.seen_at, c.uid, c.gadget_id FROM jsonb_to_recordset($3::jsonb) AS c(seen_at timestamptz, uid text, gadget_id text)
     ON CONFLICT DO NOTHING`,
    [...place, cards],
  )
  await db.query(
    `DELETE FROM unknown_cards WHERE organization_id = $1 AND device_id = $2 AND seen_at < (SELECT seen_at FROM unknown_cards
       WHERE organization_id = $1 AND device_id = $2 ORDER BY seen_at DESC OFFSET ${mostUnknownCards - 1} LIMIT 1)`,
    place,
  )
}
