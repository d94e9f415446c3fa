import { Button, Text } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { useRemove } from '../data/use-remove.tsx'
import { useDraft } from '../form/draft.ts'
import { Pick } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { useDatesZone } from '../members/use-dates-zone.ts'
import { NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { suspensionWords } from '../suspensions/suspended.tsx'
import { isSuspended } from '../suspensions/suspension.ts'
import { type Card, holderOf, type MemberCard, titleOf } from './card.ts'

/** Shows the member that holds the card. Assigns the card to a member, or takes it back. */
export function Holder({ card }: { card: Card }) {
  const { may_write } = useApi()
  const holder = holderOf(card)
  const is_free = !card.is_deleted && !card.is_lost
  return (
    <Section title="Assigned to" actions={may_write && holder && <TakeBack card={card} />}>
      {holder && <NameLink href={`/members/${holder.member_id}`}>{holder.member?.name}</NameLink>}
      {holder && isSuspended(holder) && <Suspended holder={holder} />}
      {!holder && (!may_write || !is_free) && <Text size="sm">No one</Text>}
      {!holder && may_write && is_free && <HandOver card={card} />}
    </Section>
  )
}

/** It is lifted on the page of the member. */
function Suspended({ holder }: { holder: MemberCard }) {
  const { zone } = useDatesZone({ member_id: holder.member_id })
  return (
    <Text size="sm" className="bad-ink" component="bdi" display="block">
      {suspensionWords(holder, zone)}
    </Text>
  )
}

function TakeBack({ card }: { card: Card }) {
  const { client } = useApi()
  const remove = useRemove()
  const holder = holderOf(card)
  if (!holder) return null
  const { id, member_id } = holder
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() =>
        void remove({
          id,
          name: t(`Assignment of ${titleOf(card)} to ${holder.member?.name ?? t('the member')}`),
          is_phrase: true,
          plurals: ['cards', 'members'],
          remove: () => client.member_cards.delete(member_id, id),
          restore: () => client.member_cards.edit(member_id, id, { is_deleted: false }),
        })
      }
    >
      Unassign
    </Button>
  )
}

function HandOver({ card }: { card: Card }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft<{ member_id: string | null }>(
    { member_id: null },
    async ({ member_id }) => {
      await client.member_cards.create(member_id ?? '', { card_id: card.id })
      refresh('cards', 'members')
    },
    t('Could not assign the card'),
  )
  return (
    <form onSubmit={draft.submit} className="cards-hand">
      <Pick
        plural="members"
        label="Member"
        placeholder="Choose a member…"
        value={draft.values.member_id}
        onChange={id => draft.set('member_id', id)}
        error={draft.errorOf('member_id') ?? draft.errorOf('card_id')}
      />
      <Button
        type="submit"
        size="sm"
        variant="default"
        disabled={!draft.values.member_id}
        loading={draft.is_saving}
      >
        Assign
      </Button>
    </form>
  )
}
