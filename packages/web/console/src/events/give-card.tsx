import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNotFree } from '../cards/not-free.ts'
import { keyOf } from '../data/collections.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import type { LiveEvent } from '../live/stream.ts'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'

/** Gives the unknown card of a denial to a member. Shows nothing where no such card is kept. */
export function GiveCard({ event }: { event: LiveEvent }) {
  const { client, organization, is_viewer, sees_people } = useApi()
  const may_give = sees_people && !is_viewer
  const [is_open, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'events', event.id, 'unknown_card'),
    queryFn: ({ signal }) => client.events.unknown_card(event.id, { signal }),
  })
  const card = data?.data[0]
  if (!card) return null
  const problem = whyNotFree(card)
  return (
    <Section title="Unknown card" about="Kept for three days">
      <Group justify="space-between">
        <Text size="sm">{problem ?? `The card ${card.uid} belongs to nobody.`}</Text>
        {!problem && may_give && <Button onClick={() => setOpen(true)}>Give it to a member</Button>}
      </Group>
      {is_open && <GiveForm uid={card.uid} onClose={() => setOpen(false)} />}
    </Section>
  )
}

function GiveForm({ uid, onClose }: { uid: string; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft<{ readonly member_id: string | null }>(
    { member_id: null },
    async ({ member_id }) => {
      await client.member_cards.create(member_id ?? '', { uid })
      refresh('members', 'cards', 'events')
      notifications.show({ message: `The card ${uid} was given`, color: 'teal' })
      onClose()
    },
    t('Could not give the card'),
  )
  return (
    <FormModal
      title={`Give the card ${uid}`}
      opened
      onClose={onClose}
      draft={draft}
      action="Give"
      size="sm"
      is_empty={!draft.values.member_id}
    >
      <Pick
        plural="members"
        label="Member"
        required
        value={draft.values.member_id}
        onChange={id => draft.set('member_id', id)}
        error={draft.errorOf('uid')}
      />
    </FormModal>
  )
}
