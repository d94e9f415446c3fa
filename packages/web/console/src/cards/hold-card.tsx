import type { UnknownCard } from '@gatehouse-access/api'
import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { keyOf } from '../data/collections.ts'
import { useObject } from '../data/use-object.ts'
import { Pick } from '../form/pick.tsx'
import { useLiveEvents } from '../live/live.tsx'
import { Failure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import './hold-card.css'
import { whyNotFree } from './not-free.ts'

interface HoldCardProps {
  /** Called with the UID of a card that is free to give. */
  readonly onRead: (uid: string) => void
}

/** Reads a card by holding it to a reader that the user chooses. */
export function HoldCard({ onRead }: HoldCardProps) {
  const [is_open, setOpen] = useState(false)
  const [device_id, setDevice] = useState<string | null>(null)
  if (!is_open)
    return (
      <Button variant="default" onClick={() => setOpen(true)}>
        Hold the card to a reader
      </Button>
    )
  return (
    <Stack gap="xs" className="hold-card">
      <Pick plural="devices" label="Reader" value={device_id} onChange={setDevice} />
      {device_id && <Waiting key={device_id} device_id={device_id} onRead={onRead} />}
    </Stack>
  )
}

/** Milliseconds between looks while no event tells of a card: the connection for events may be gone. */
const lookEvery = 3000

function Waiting({ device_id, onRead }: HoldCardProps & { readonly device_id: string }) {
  const { client, organization } = useApi()
  const queries = useQueryClient()
  const device = useObject('devices', device_id)
  const queryKey = keyOf(organization.id, 'devices', device_id, 'unknown_cards')
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.devices.unknown_cards(device_id, { signal }),
    refetchInterval: lookEvery,
    gcTime: 0,
  })
  useLiveEvents(events => {
    if (events.some(({ object }) => object.type === 'access_denial'))
      void queries.invalidateQueries({ queryKey })
  })
  const card = useFirstAfter(data?.data)
  const problem = card && whyNotFree(card)
  const read = card && !problem ? card.uid : undefined
  const told = useRef<string>(undefined)
  useEffect(() => {
    if (read === undefined || told.current === read) return
    told.current = read
    onRead(read)
  }, [read, onRead])
  if (error) return <Failure error={error} retry={refetch} />
  if (device.data && !device.data.capabilities.nfc)
    return <Text size="sm">This device has no card reader.</Text>
  // A card that is held before this is known would count as an earlier one.
  if (!data) return <Loader size="xs" />
  return (
    <Group gap="xs" role="status">
      {!card && <Loader size="xs" aria-hidden />}
      <Text size="sm">{card ? (problem ?? `Read: ${card.uid}`) : 'Hold the card to the reader now.'}</Text>
    </Group>
  )
}

/** Returns the newest card that was not there at first: by the answers alone, since clocks may differ. */
function useFirstAfter(cards: readonly UnknownCard[] | undefined): UnknownCard | undefined {
  const [before, setBefore] = useState<ReadonlySet<string>>()
  useEffect(() => {
    if (cards && !before) setBefore(new Set(cards.map(keyOfCard)))
  }, [cards, before])
  return before && cards?.find(card => !before.has(keyOfCard(card)))
}

function keyOfCard({ seen_at, uid }: UnknownCard): string {
  return `${seen_at} ${uid}`
}
