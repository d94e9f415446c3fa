import type { SiteZone } from '@gatehouse-access/api'
import { useZone } from '../schedules/use-site-days.ts'
import { siteThatCounts, useSiteZones } from '../sites/use-site-zones.ts'

const utc: SiteZone = {
  timezone: 'UTC',
  from: '1970-01-01T00:00:00Z',
  until: '9999-12-31T00:00:00Z',
  offset: 0,
  release: '',
  changes: [],
}

/** Returns the zone whose days a report has: that of the site, or the one that counts of all sites, or UTC if there is none. Undefined while it loads. */
export function useReportZone(site_id: string | null): SiteZone | undefined {
  const { data: sites, isError } = useSiteZones()
  const id = site_id ?? siteThatCounts(sites?.data ?? [])?.id
  const { data: zone, isError: is_unknown } = useZone(id)
  const is_loading = !isError && !is_unknown && (id !== undefined || !sites)
  return zone ?? (is_loading ? undefined : utc)
}
