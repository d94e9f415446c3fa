import { TextInput } from '@mantine/core'
import { HoldCard } from '../cards/hold-card.tsx'
import type { ItemOf } from '../data/collections.ts'
import type { Draft } from '../form/draft.ts'
import { Pick } from '../form/pick.tsx'
import { useApi } from '../session/use-api.ts'

export interface CardValues {
  readonly card_id: string | null
  readonly uid: string
  readonly printed_code: string
}

export const noCard: CardValues = { card_id: null, uid: '', printed_code: '' }

const free = { is_lost: false, is_given: false } as const

/**
 * The three ways to name a card that a member gets. Cards that are lost, or that somebody has, are not offered. At
 * some sites, one sees only cards that somebody has.
 */
export function CardFields<Values extends CardValues>({ draft }: { draft: Draft<Values> }) {
  const { organization } = useApi()
  const text = (name: 'uid' | 'printed_code') => ({
    value: draft.values[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      draft.set(name, event.currentTarget.value as Values[typeof name]),
    error: draft.errorOf(name),
  })
  return (
    <>
      <HoldCard onRead={uid => draft.set('uid', uid as Values['uid'])} />
      {organization.site_ids === null && (
        <Pick
          plural="cards"
          query={free}
          label="Or existing card"
          value={draft.values.card_id}
          onChange={id => draft.set('card_id', id as Values['card_id'])}
          error={draft.errorOf('card_id')}
          nameOf={({ name, printed_code, uid, id }: ItemOf<'cards'>) => name || printed_code || uid || id}
        />
      )}
      <TextInput label="Or printed code" {...text('printed_code')} />
      <TextInput
        label="Or UID"
        description="Hexadecimal. An unknown UID is added as a new card."
        {...text('uid')}
      />
    </>
  )
}

/** Returns what was filled in, as the API takes it. */
export function cardOf({ card_id, uid, printed_code }: CardValues) {
  return {
    ...(card_id && { card_id }),
    ...(uid && { uid: uid.trim() }),
    ...(printed_code && { printed_code: printed_code.trim() }),
  }
}
