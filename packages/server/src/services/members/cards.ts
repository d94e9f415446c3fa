import { invalid } from '@gatehouse-access/api'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'

const keys = ['uid', 'printed_code'] as const

export const cardBehaviour = behaviour('card', {
  async beforeCreate(work, values, given) {
    if (typeof given.id === 'string') return adoptFromStock(work, given.id, values)
    if (values.uid === null && values.printed_code === null)
      throw invalid('uid', 'give at least one of id, uid and printed_code')
    return {}
  },
})

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
