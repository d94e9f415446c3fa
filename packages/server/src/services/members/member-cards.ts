import { invalid, resources } from '@gatehouse/api'
import type { Row } from '../../database/db.ts'
import type { Behaviour, Work } from '../objects/context.ts'
import { claims } from '../objects/credentials.ts'
import { insertNew } from '../objects/new-object.ts'

const keys = ['card_id', 'uid', 'printed_code'] as const

export const memberCardBehaviour: Behaviour = {
  ...claims,
  async beforeCreate(work, values) {
    return { card_id: await findOrCreateCard(work, values) }
  },
}

async function findOrCreateCard(work: Work, values: Row): Promise<string> {
  const given = keys.filter(key => values[key] != null)
  if (given.length !== 1)
    throw invalid(given[1] ?? 'card_id', 'give exactly one of card_id, uid and printed_code')
  if (given[0] === 'card_id') return values.card_id as string
  const column = given[0] as 'uid' | 'printed_code'
  const [card] = await work.db.query<{ id: string }>(
    `SELECT id FROM cards WHERE organization_id = $1 AND ${column} = $2 AND NOT is_deleted FOR SHARE`,
    [work.caller.organization_id, values[column]],
  )
  if (card) return card.id
  if (column === 'printed_code')
    throw invalid(
      'printed_code',
      `printed_code: the organization has no card with code ${JSON.stringify(values.printed_code)}`,
    )
  return (await insertNew(work, resources.card, { uid: values.uid })).id as string
}
