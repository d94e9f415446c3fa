import { Alert, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { usePoll } from '../data/use-poll.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { ErasureProgress } from '../privacy/erasure-progress.tsx'
import type { Erasure } from '../privacy/erasure-words.ts'
import { useApi } from '../session/use-api.ts'
import { ExportData, HeldData, useHeld } from './held-data.tsx'
import type { Member } from './member.ts'

/** What is held about the member, the way to hand it out, and the way to erase it. */
export function MemberPrivacy({ member }: { member: Member }) {
  const { client, organization, may_write } = useApi()
  const [is_asking, asking] = useDisclosure(false)
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'erasures', 'of', member.id),
    queryFn: () => client.erasures.list({ member_id: member.id, limit: 1 }),
  })
  const last = data?.data[0]
  const erasure = last?.state === 'canceled' ? undefined : last
  const is_open = erasure !== undefined && erasure.state !== 'done'
  const is_erased = member.erased_at !== null
  usePoll(is_open, 'erasures', 'members')
  return (
    <Section title="Privacy">
      <Stack gap="md">
        {!is_erased && <HeldData member_id={member.id} />}
        {may_write && !is_erased && <ExportData member_id={member.id} />}
        {erasure ? (
          <ErasureProgress erasure={erasure} />
        ) : (
          <Group justify="space-between" gap="md">
            <Text size="sm" c="dimmed" flex="1 1 220px">
              Erasing takes the member out of everything, also out of past events. It cannot be undone.
            </Text>
            {may_write && !is_erased && (
              <Button color="red" variant="light" onClick={asking.open}>
                Erase
              </Button>
            )}
          </Group>
        )}
      </Stack>
      {is_asking && <Erase member={member} onClose={asking.close} />}
    </Section>
  )
}

/** Asks for the name, because nothing brings the member back. */
function Erase({ member, onClose }: { member: Member; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const name = member.name || 'erase'
  const held = useHeld(member.id)
  const draft = useDraft(
    { name: '', reference: '', deletes: false, cards: false },
    async ({ reference, deletes, cards }) => {
      await client.erasures.create({
        member_id: member.id,
        events: deletes ? 'delete' : 'unlink',
        includes_cards: cards,
        ...(reference.trim() && { reference: reference.trim() }),
      })
      refresh('members', 'erasures', 'events')
      onClose()
    },
    t('Could not erase the member'),
  )
  return (
    <Modal opened onClose={onClose} title="Erase member">
      <form onSubmit={draft.submit}>
        <Stack gap="sm">
          {held.error && !held.isFetching ? (
            <Failure error={held.error} retry={held.refetch} />
          ) : (
            // What was counted before may be less than what is held by now.
            <Held counts={held.isFetching ? undefined : held.data?.counts} />
          )}
          {held.data?.state === 'blocked' && (
            <Alert color="yellow">
              A legal hold covers the member. The erasure waits, and goes on by itself when the hold ends.
            </Alert>
          )}
          <TextInput
            label="Reference"
            description="A case number. It stays, so do not write a name."
            maxLength={64}
            value={draft.values.reference}
            onChange={event => draft.set('reference', event.currentTarget.value)}
          />
          <Checkbox
            label="Delete what happened at doors, too"
            description="Otherwise these events stay without the member."
            checked={draft.values.deletes}
            onChange={event => draft.set('deletes', event.currentTarget.checked)}
          />
          <Checkbox
            label="Erase names and metadata of the member’s cards"
            checked={draft.values.cards}
            onChange={event => draft.set('cards', event.currentTarget.checked)}
          />
          <TextInput
            label={`Type ${name} to confirm`}
            data-autofocus
            autoComplete="off"
            value={draft.values.name}
            onChange={event => draft.set('name', event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              color="red"
              loading={draft.is_saving}
              disabled={draft.values.name.trim() !== name.trim()}
            >
              Erase
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function Held({ counts }: { counts: Erasure['counts'] | undefined }) {
  if (!counts) return <LoadingLines lines={2} />
  return (
    <Text size="sm">
      Objects that are deleted: {counts.objects}. Events that lose the member: {counts.events}. Devices that
      are told to forget it: {counts.devices}. This cannot be undone.
    </Text>
  )
}
