import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { Facts } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import { type Erasure, stateSentence } from './erasure-words.ts'
import { useWaitingDevices, WaitingDevices } from './waiting-devices.tsx'

/** How far an erasure is, what it has removed, and its receipt. */
export function ErasureProgress({ erasure }: { erasure: Erasure }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  const { waiting, error, refetch } = useWaitingDevices(erasure)
  const left = waiting?.count ?? erasure.counts.devices - erasure.counts.devices_done
  const cancel = async () => {
    await client.erasures.cancel(erasure.id)
    refresh('erasures')
  }
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {stateSentence(erasure.state, left)}
      </Text>
      {waiting && left > 0 && <WaitingDevices {...waiting} />}
      {error && <Failure error={error} retry={refetch} />}
      <Facts facts={factsOf(erasure, left)} />
      {may_write && (erasure.state === 'scheduled' || erasure.state === 'blocked') && (
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel erasure
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function factsOf(
  { counts, receipt_hash, backups_clear_at, reference }: Erasure,
  left: number,
): [string, ReactNode][] {
  return [
    [t('Objects'), counts.objects],
    [t('Events'), counts.events],
    [t('Deliveries'), counts.deliveries],
    ...(counts.files > 0 ? ([[t('Files'), counts.files]] as [string, ReactNode][]) : []),
    [t('Devices that forgot'), t(`${counts.devices - left} of ${counts.devices}`)],
    ...(reference
      ? ([[t('Reference'), <bdi key="reference">{reference}</bdi>]] as [string, ReactNode][])
      : []),
    ...(backups_clear_at
      ? ([[t('Backups clear'), <OwnTime key="backups" at={backups_clear_at} />]] as [string, ReactNode][])
      : []),
    ...(receipt_hash
      ? ([
          [
            t('Receipt'),
            <span key="receipt" className="mono">
              {receipt_hash}
            </span>,
          ],
        ] as [string, ReactNode][])
      : []),
  ]
}
