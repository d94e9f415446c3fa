import { Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { CardFields, type CardValues, cardOf, noCard } from './card-fields.tsx'

interface ReplaceProps {
  readonly member_id: string
  readonly card: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

interface Values extends CardValues {
  readonly lost_reason: string
}

/** Ends a lost card and gives the member another one, in one step. */
export function ReplaceCard({ member_id, card, onClose }: ReplaceProps) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft<Values>(
    { ...noCard, lost_reason: '' },
    async ({ lost_reason, ...wanted }) => {
      await client.member_cards.replace(member_id, card.id, {
        ...cardOf(wanted),
        ...(lost_reason.trim() && { lost_reason: lost_reason.trim() }),
      })
      refresh('members', 'cards')
      notifications.show({ message: `${card.name} is lost, and replaced`, color: 'teal' })
      onClose()
    },
    t('Could not replace the card'),
  )
  const { card_id, uid, printed_code } = draft.values
  return (
    <FormModal
      title={`Replace ${card.name}`}
      opened
      onClose={onClose}
      draft={draft}
      action="Replace"
      size="sm"
      is_empty={!card_id && !uid.trim() && !printed_code.trim()}
    >
      <Text size="sm">The old card is reported lost: it opens nothing from now on.</Text>
      <CardFields draft={draft} />
      <TextInput
        label="How it was lost"
        description="For administrators"
        maxLength={500}
        value={draft.values.lost_reason}
        onChange={event => draft.set('lost_reason', event.currentTarget.value)}
        error={draft.errorOf('lost_reason')}
      />
    </FormModal>
  )
}
