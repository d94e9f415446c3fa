import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDraft } from '../form/draft.ts'
import { t } from '../language/t.ts'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'

/**
 * Requires typing the name although the organization can be restored for 30 days, because doors stop opening
 * for everyone.
 */
export function DeleteOrganization() {
  const [is_asking, setAsking] = useState(false)
  return (
    <Section title="Delete organization">
      <Group justify="space-between" gap="md">
        <Text size="sm" c="dimmed" flex="1 1 260px">
          Access, devices and applications stop immediately. An owner can restore everything within 30 days;
          after that it is permanently deleted.
        </Text>
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          Delete organization
        </Button>
      </Group>
      {is_asking && <AskName onClose={() => setAsking(false)} />}
    </Section>
  )
}

function AskName({ onClose }: { onClose: () => void }) {
  const { account, organization } = useApi()
  const queries = useQueryClient()
  const draft = useDraft(
    { name: '' },
    async () => {
      await account('DELETE', `/organizations/${organization.id}`)
      await queries.refetchQueries({ queryKey: ['session'] })
    },
    t('Could not delete the organization'),
  )
  return (
    <Modal opened onClose={onClose} title="Delete organization">
      <form onSubmit={draft.submit}>
        <Stack gap="sm">
          <Text size="sm" component="div">
            No one will be able to open the doors of <Name>{organization.name}</Name>, and its tokens and
            webhooks will stop working. The organization stays in your list for 30 days, and an owner can
            restore it during that time.
          </Text>
          <TextInput
            label="Type the organization’s name"
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
              disabled={draft.values.name.trim() !== organization.name.trim()}
            >
              Delete organization
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
