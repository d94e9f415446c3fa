import { invalid, type NewOf, type Resources, resources } from '@gatehouse-access/api'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { claims } from '../objects/credentials.ts'
import { insertNew } from '../objects/new-object.ts'
import { settleSuspension } from '../objects/suspension.ts'
import { refuseLost } from './cards.ts'

const keys = ['card_id', 'uid', 'printed_code'] as const

export const memberCardBehaviour = behaviour('member_card', {
  ...claims,
  settle: settleSuspension,
  async beforeCreate(work, values) {
    return { card_id: await findOrCreateCard(work, values) }
  },
  async beforeRestore(work, row) {
    await refuseLost(work, row.card_id, 'is_deleted')
    return claims.beforeRestore(work, row)
  },
})

async function findOrCreateCard(work: Work, values: NewOf<Resources['member_card']>): Promise<string> {
  const given = keys.filter(key => values[key] != null)
  if (given.length !== 1)
    throw invalid(given[1] ?? 'card_id', 'give exactly one of card_id, uid and printed_code')
  if (typeof values.card_id === 'string') {
    await refuseLost(work, values.card_id, 'card_id')
    return values.card_id
  }
  const column = typeof values.uid === 'string' ? 'uid' : 'printed_code'
  const [card] = await work.db.query<{ id: string }>(
    `SELECT id FROM cards WHERE organization_id = $1 AND ${column} = $2 AND NOT is_deleted FOR SHARE`,
    [work.caller.organization_id, values[column]],
  )
  if (card) {
    await refuseLost(work, card.id, column)
    return card.id
  }
  if (column === 'printed_code')
    throw invalid(
      'printed_code',
      `printed_code: the organization has no card with code ${JSON.stringify(values.printed_code)}`,
    )
  const made = await insertNew(work, resources.card, { uid: values.uid ?? null })
  return made.id
}
