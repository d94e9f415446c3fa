import { RequestError, type UnknownCard } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { asRead } from '../../database/postgres/query.ts'
import type { InputOf } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'

/** Who has the card now is told, because it is then not free to give. */
const selected = `u.uid, u.seen_at, u.gadget_id, c.id AS card_id, h.member_id, coalesce(c.is_lost, false) AS is_lost
  FROM unknown_cards u
    LEFT JOIN cards c ON c.organization_id = u.organization_id AND c.uid = u.uid AND NOT c.is_deleted
    LEFT JOIN member_cards h ON h.organization_id = c.organization_id AND h.card_id = c.id AND NOT h.is_deleted`

/** `GET /devices/{device_id}/unknown_cards` */
export async function listUnknownCards({
  work,
  target,
  id,
}: InputOf<'device', 'unknown_cards'>): Promise<{ data: UnknownCard[] }> {
  await getObject(work, target, id)
  const data = await find(work.db, 'u.device_id = $2', [work.caller.organization_id, id])
  return { data }
}

/** `GET /events/{event_id}/unknown_card`: an event does not name its reader, but the time and the door. */
export async function showUnknownCard({
  work,
  target,
  id,
}: InputOf<'event', 'unknown_card'>): Promise<UnknownCard> {
  const { object, created_at } = await getObject(work, target, id)
  const place = object.gadget_id ? 'u.gadget_id = $3' : 'u.gadget_id IS NULL AND u.device_id = $3'
  const [card] =
    object.type === 'access_denial' && object.reason === 'unknown_credential'
      ? await find(work.db, `u.seen_at = $2 AND ${place}`, [
          work.caller.organization_id,
          created_at,
          object.gadget_id ?? object.device_id ?? null,
        ])
      : []
  if (!card) throw new RequestError('not_found', `no unknown card is kept of the event ${id}`)
  return card
}

function find(db: Database, where: string, params: readonly (string | null)[]): Promise<UnknownCard[]> {
  return db.query<UnknownCard>(
    `SELECT ${selected} WHERE u.organization_id = $1 AND ${where} ORDER BY u.seen_at DESC LIMIT 50`,
    params,
    asRead,
  )
}
