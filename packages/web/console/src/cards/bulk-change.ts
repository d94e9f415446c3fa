import type { BulkOperation } from '@gatehouse-access/sdk'
import { countText } from '../data/use-count.ts'
import { locale } from '../language/languages.ts'
import { spoken, t } from '../language/t.ts'
import { type Card, holderOf } from './card.ts'

interface Kind {
  readonly label: string
  readonly title: string
  readonly about: string
  /** What the button says. */
  sayAction(count: number): string
  sayDone(count: number): string
  operationOf(card: Card): BulkOperation
  undoOf(card: Card): readonly BulkOperation[]
}

/** What can be done with many cards at once. Both leave lost cards as they are: these are kept until they are found. */
export const changeKinds = {
  lost: {
    label: 'Report lost',
    title: 'Report cards lost',
    about: t(
      'They open nothing from now on, and are not offered again until they are found. You can undo this.',
    ),
    sayAction: count => t(`Report ${counted(count)} lost`),
    sayDone: count =>
      count === 1 ? t('1 card reported lost') : t(`${count.toLocaleString(locale)} cards reported lost`),
    operationOf: ({ id }) => ({ method: 'PATCH', path: `/cards/${id}`, body: { is_lost: true } }),
    undoOf: card => [
      { method: 'PATCH', path: `/cards/${card.id}`, body: { is_lost: false } },
      ...givenBack(card),
    ],
  },
  delete: {
    label: 'Delete',
    title: 'Delete cards',
    about: t('They open nothing from now on, and can be restored. You can undo this.'),
    sayAction: count => t(`Delete ${counted(count)}`),
    sayDone: count =>
      count === 1 ? t('1 card deleted') : t(`${count.toLocaleString(locale)} cards deleted`),
    operationOf: ({ id }) => ({ method: 'DELETE', path: `/cards/${id}` }),
    undoOf: ({ id }) => [{ method: 'PATCH', path: `/cards/${id}`, body: { is_deleted: false } }],
  },
} satisfies Record<string, Kind>
export type ChangeKind = keyof typeof changeKinds

function counted(count: number): string {
  return countText({ count, is_more: false }, spoken(['card', 'cards']))
}

function givenBack(card: Card): BulkOperation[] {
  const holder = holderOf(card)
  if (!holder) return []
  const path = `/members/${holder.member_id}/cards/${holder.id}`
  return [{ method: 'PATCH', path, body: { is_deleted: false } }]
}
