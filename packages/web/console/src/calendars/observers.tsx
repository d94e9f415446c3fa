import { Text } from '@mantine/core'
import { useList } from '../data/use-list.ts'
import { LoadingLines } from '../parts/loading.tsx'
import { NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import type { Calendar } from './calendar.ts'

/** Lists the sites that observe a calendar. */
export function Observers({ calendar }: { calendar: Calendar }) {
  const { items, has_more, is_loading } = useList('sites', { limit: 100, sort: 'name:asc' })
  const found = items.filter(({ calendar_ids }) => calendar_ids.includes(calendar.id))
  return (
    <Section title="Observed by" about={has_more ? 'Among the first 100 sites.' : undefined}>
      {is_loading && <LoadingLines lines={2} />}
      {!is_loading && found.length === 0 && (
        <Text size="sm" c="dimmed">
          No site. Open a site and add this calendar to its days off.
        </Text>
      )}
      <ul className="calendars-sites">
        {found.map(({ id, name }) => (
          <li key={id}>
            <NameLink href={`/sites/${id}`}>{name}</NameLink>
          </li>
        ))}
      </ul>
    </Section>
  )
}
