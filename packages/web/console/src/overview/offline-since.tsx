import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { shortWords, zoneAt } from '../events/event-time.tsx'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'

interface OfflineProps {
  readonly device_id: string
  readonly site: { readonly timezone: string } | undefined
}

/** Says since when a device is offline, by its events and the clock of its site. A device that never was online says that. */
export function OfflineSince({ device_id, site }: OfflineProps) {
  const { client, organization } = useApi()
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'devices', 'offline-since', device_id),
    queryFn: async ({ signal }) => {
      const query = {
        'object.type': 'device',
        'object.device_id': device_id,
        verb: 'edit',
        limit: 20,
      } as const
      const found = await client.events.list({ ...query, signal })
      const last = found.data.find(({ object }) => object.reason === 'offline' || object.reason === 'online')
      return { since: last?.object.reason === 'offline' ? last.created_at : null, is_whole: !found.has_next }
    },
  })
  if (data?.since) return t(`Offline since ${shortWords(data.since, zoneAt(site, data.since))}`)
  return data?.is_whole ? t('Never connected') : t('Offline')
}
