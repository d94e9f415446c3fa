import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { browserZone } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'

/** Loads the oldest sites, a hundred of them, which decide in whose time zone something of several sites is told. */
export function useSiteZones() {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, 'sites', 'zones'),
    queryFn: ({ signal }) => client.sites.list({ limit: 100, sort: 'created_at:asc', signal }),
    staleTime: 60_000,
  })
}

/** Of sites in several zones, that of the browser counts if it is among them, else that of the oldest site. */
export function siteThatCounts<T extends { readonly timezone: string }>(oldest: readonly T[]): T | undefined {
  return oldest.find(({ timezone }) => timezone === browserZone) ?? oldest[0]
}
