import { type PrivacyPreview, periodNames } from '@gatehouse-access/api'
import { Progress, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import type { Privacy } from './privacy-words.ts'

const words: readonly (readonly [Exclude<keyof PrivacyPreview, 'is_cut'>, string])[] = [
  ['members', t('deleted members would be erased')],
  ['access', t('events would lose their member')],
  ['access_deleted', t('uses, denials and sign-ins would be deleted')],
  ['other', t('events would lose where they came from')],
  ['device', t('states and signals would be deleted')],
]

/** What the periods would remove now, as bars beside each other. */
export function Preview({ privacy }: { privacy: Privacy }) {
  const { client, organization } = useApi()
  const [asked] = useDebouncedValue(privacy, 400)
  const periods = Object.fromEntries(
    periodNames.flatMap(name => (asked[name] == null ? [] : [[name, asked[name]]])),
  )
  const is_endless = Object.keys(periods).length === 0
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'organizations', 'preview', JSON.stringify(periods)),
    queryFn: () => client.organization.privacy_preview(periods),
    enabled: !is_endless,
  })
  if (is_endless) return <Text size="sm">Nothing expires: everything is kept for ever.</Text>
  if (!data) return <Text size="sm">Counting what this would remove…</Text>
  const most = Math.max(1, ...words.map(([name]) => data[name]))
  const shown = words.filter(([name]) => data[name] > 0)
  return (
    <div role="status" aria-label="What this would remove">
      {shown.length === 0 && <Text size="sm">Nothing is so old yet.</Text>}
      {shown.map(([name, what]) => (
        <div key={name}>
          <Text size="sm">
            {data[name].toLocaleString(locale)} {what}
          </Text>
          <Progress value={(data[name] / most) * 100} size="sm" mb="xs" aria-label={what} />
        </div>
      ))}
      {data.is_cut && (
        <Text size="xs" c="dimmed">
          Of the oldest 100,000 events; there are more.
        </Text>
      )}
    </div>
  )
}
