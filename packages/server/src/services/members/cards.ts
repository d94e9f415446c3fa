import { invalid, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { findObject } from '../../store/find.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { deleteLocked } from '../objects/objects.ts'

const keys = ['uid', 'printed_code'] as const

type Card = StoredOf<Resources['card']>
type Loss = Pick<Card, 'is_lost' | 'lost_at' | 'lost_reason'>

export const cardBehaviour = behaviour('card', {
  settle: settleLoss,
  async beforeEdit(work, card, { is_lost }) {
    if (is_lost) await takeFromMembers(work, card.id)
    return {}
  },
  async beforeDelete(_work, card) {
    if (card.is_lost)
      throw invalid(
        'is_lost',
        'a lost card is kept, so that nobody is given it by mistake; report it found first',
      )
    return {}
  },
  async beforeCreate(work, values, given) {
    if (typeof given.id === 'string') return adoptFromStock(work, given.id, values)
    if (values.uid === null && values.printed_code === null)
      throw invalid('uid', 'give at least one of id, uid and printed_code')
    return {}
  },
})

function settleLoss(after: Loss, before: Loss | undefined, now: string): Partial<Loss> {
  const { is_lost, lost_reason } = after
  if (is_lost) return before?.is_lost ? {} : { lost_at: now }
  if (lost_reason !== null && lost_reason !== (before?.lost_reason ?? null))
    throw invalid(
      'lost_reason',
      'lost_reason can be set only together with "is_lost": true, or while it is true',
    )
  return before?.is_lost ? { lost_at: null, lost_reason: null } : {}
}

/** Deleted members would get it back when they are restored, so it is taken from them too. */
async function takeFromMembers(work: Work, cardId: string): Promise<void> {
  const { organization_id } = work.caller
  const held = await work.db.query<{ id: string }>(
    'SELECT id FROM member_cards WHERE organization_id = $1 AND card_id = $2 AND NOT is_deleted ORDER BY id FOR UPDATE',
    [organization_id, cardId],
  )
  for (const { id } of held) {
    const row = await findObject(work.db, resources.member_card, { organization_id }, id, { lock: true })
    if (row) await deleteLocked(work, resources.member_card, row)
  }
}

/** Throws if a card is lost. Holds it, so that it cannot be reported lost meanwhile. */
export async function refuseLost(work: Work, cardId: string, field: string): Promise<void> {
  const [card] = await work.db.query<{ lost_at: string | null }>(
    'SELECT lost_at FROM cards WHERE organization_id = $1 AND id = $2 AND is_lost FOR SHARE',
    [work.caller.organization_id, cardId],
  )
  if (card)
    throw invalid(
      field,
      `${field}: the card ${cardId} was reported lost at ${card.lost_at}; if it is back, report it found first ("is_lost": false)`,
    )
}

interface Stocked {
  readonly uid: string | null
  readonly printed_code: string | null
}

/** Adopts a card of the operator's stock by its ID. Throws for any other ID. */
async function adoptFromStock(work: Work, id: string, values: Stocked): Promise<Stocked> {
  const [stock] = await work.db.query<Stocked>(
    `UPDATE card_stock SET organization_id = $2 WHERE id = $1 AND (organization_id IS NULL OR organization_id = $2) RETURNING uid, printed_code`,
    [id, work.caller.organization_id],
  )
  if (!stock) throw invalid('id', 'id: the stock has no such card; leave id out to register your own card')
  for (const key of keys)
    if (values[key] !== null && values[key] !== stock[key])
      throw invalid(key, `${key} ${JSON.stringify(values[key])} is not that of the card in stock`)
  return stock
}
