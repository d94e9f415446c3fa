import { Alert, Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { ItemOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { Name } from '../parts/name.tsx'

type Site = ItemOf<'sites'>

/** Says at a site that the service no longer knows its time zone. */
export function UnknownZone({ site }: { site: Site }) {
  if (site.is_timezone_known || site.is_deleted) return null
  return (
    <Alert color="red" mb="md" title="Unknown time zone">
      The service does not know the time zone {site.timezone}.{' '}
      {site.timezone_release
        ? `Doors go on by what release ${site.timezone_release} of the time zone database says of it.`
        : 'Schedules are closed here.'}{' '}
      Choose another time zone.
    </Alert>
  )
}

/** Names the sites whose time zones the service no longer knows. */
export function UnknownZones() {
  const { items } = useList('sites', { limit: 100 })
  const unknown = items.filter(site => !site.is_timezone_known)
  if (unknown.length === 0) return null
  return (
    <Alert color="red" mb="md" title="Unknown time zones">
      The service does not know the time zones of these sites. Their doors go on by the last data known.
      Choose other time zones:
      <ul>
        {unknown.map(({ id, name, timezone }) => (
          <li key={id}>
            <Anchor component={Link} href={`/sites/${id}`}>
              <Name>{name}</Name>
            </Anchor>
            , {timezone}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
