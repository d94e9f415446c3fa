import { mostUnknownCards, type UnknownCard } from '@gatehouse-access/api'
import { asRead } from '../../database/postgres/query.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'

interface UnknownCards {
  readonly data: UnknownCard[]
}

/** Who has the card now is told, because it is then not free to give. */
const selected = `u.uid, u.seen_at, u.gadget_id, c.id AS card_id, h.member_id, coalesce(c.is_lost, false) AS is_lost,
    h.member_id IS NULL AND NOT coalesce(c.is_lost, false) AS is_free
  FROM unknown_cards u
    LEFT JOIN cards c ON c.organization_id = u.organization_id AND c.uid = u.uid AND NOT c.is_deleted
    LEFT JOIN member_cards h ON h.organization_id = c.organization_id AND h.card_id = c.id AND NOT h.is_deleted`

/** `GET /devices/{device_id}/unknown_cards` */
export async function listUnknownCards({
  work,
  target,
  id,
}: InputOf<'device', 'unknown_cards'>): Promise<UnknownCards> {
  await getObject(work, target, id)
  const cards = await work.db.query<UnknownCard>(
    `SELECT ${selected} WHERE u.organization_id = $1 AND u.device_id = $2 ORDER BY u.seen_at DESC LIMIT ${mostUnknownCards}`,
    [work.caller.organization_id, id],
    asRead,
  )
  return { data: seenBy(work, cards) }
}

/** `GET /events/{event_id}/unknown_card`: an event does not name its reader, but the time and the door. */
export async function showUnknownCard({
  work,
  target,
  id,
}: InputOf<'event', 'unknown_card'>): Promise<UnknownCards> {
  const { object, created_at } = await getObject(work, target, id)
  if (object.type !== 'access_denial' || object.reason !== 'unknown_credential') return { data: [] }
  const cards = await work.db.query<UnknownCard>(
    `SELECT ${selected} WHERE u.organization_id = $1 AND u.seen_at = $2 AND coalesce(u.gadget_id, u.device_id) = $3 LIMIT 1`,
    [work.caller.organization_id, created_at, object.gadget_id ?? object.device_id ?? null],
    asRead,
  )
  return { data: seenBy(work, cards) }
}

/** Cards and members of other sites are no business of a role that is limited to some. */
function seenBy({ caller }: Work, cards: UnknownCard[]): UnknownCard[] {
  return caller.bounds ? cards.map(card => ({ ...card, card_id: null, member_id: null })) : cards
}
