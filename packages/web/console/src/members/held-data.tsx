import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { keyOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import { Failure, showFailure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Facts } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'

/** Counts what is held about a member, as a dry run of an erasure does. */
export function useHeld(member_id: string) {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, 'held', member_id),
    queryFn: () => client.members.erase(member_id, {}, { dry_run: true }),
    staleTime: 0,
  })
}

/** How much is held about the member. Counted once somebody asks, because that takes long in a large organization. */
export function HeldData({ member_id }: { member_id: string }) {
  const [is_open, setOpen] = useState(false)
  return (
    <Group justify="space-between" gap="md">
      <Text size="sm" c="dimmed" flex="1 1 220px">
        {is_open
          ? 'Objects are the member, its credentials, memberships, sessions and mails. Events and devices know it, too.'
          : 'Shows how much is held about this member: objects, events and devices.'}
      </Text>
      {is_open ? (
        <Counts member_id={member_id} />
      ) : (
        <Button variant="default" onClick={() => setOpen(true)}>
          Show what is held
        </Button>
      )}
    </Group>
  )
}

function Counts({ member_id }: { member_id: string }) {
  const { data, error, refetch } = useHeld(member_id)
  if (error) return <Failure error={error} retry={refetch} />
  if (!data) return <LoadingLines lines={3} />
  const { objects, events, devices } = data.counts
  return (
    <Facts
      facts={[
        [t('Objects'), objects],
        [t('Events'), events],
        [t('Devices'), devices],
      ]}
    />
  )
}

/** Makes the files with everything that is held about the member, and leads to them. */
export function ExportData({ member_id }: { member_id: string }) {
  const { client } = useApi()
  const [, go] = useLocation()
  const [is_busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { id } = await client.members.data_export(member_id)
      go(`/jobs/${id}`)
    } catch (error) {
      showFailure(error, t('Export failed'))
      setBusy(false)
    }
  }
  return (
    <Group justify="space-between" gap="md">
      <Text size="sm" c="dimmed" flex="1 1 220px">
        Two files with everything that is held about the member. They stay for 7 days, and each download is
        recorded.
      </Text>
      <Button variant="default" loading={is_busy} onClick={() => void run()}>
        Export data
      </Button>
    </Group>
  )
}
