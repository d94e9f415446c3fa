import type { Page } from '@gatehouse-access/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { type ItemOf, keyOf } from '../data/collections.ts'
import type { Zoned } from '../form/moment-input.tsx'
import { sitesOf } from '../groups/rule.ts'
import { useRuleGroups } from '../groups/use-rule-groups.ts'
import { browserZone, haveSameClock } from '../parts/format-time.ts'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import { siteThatCounts, useSiteZones } from '../sites/use-site-zones.ts'

type Site = ItemOf<'sites'>

const noSites: Pick<Page<Site>, 'data' | 'has_next'> = { data: [], has_next: false }

/** Whose dates they are: of a member, of whoever gets into groups, or of whoever opens doors of a site. */
interface Whose {
  readonly site_id?: string | null
  readonly member_id?: string
  readonly group_ids?: readonly string[]
}

/**
 * Returns the time zone of dates: that of the site, of the sites that the groups name, or whose doors the member can open, or of all sites if
 * there are none yet. Of several zones, it is that of the browser if it is among them, else of the oldest site. The other zones are
 * those of other sites, and of the browser.
 */
export function useDatesZone({ site_id, member_id, group_ids = [] }: Whose = {}): Zoned {
  const { client, organization } = useApi()
  const { data: { data: oldest, has_next } = noSites } = useSiteZones()
  const has_several = has_next || zonesOf(oldest).length > 1
  const { data: reached = [] } = useQuery({
    queryKey: keyOf(organization.id, 'access', member_id, 'sites'),
    queryFn: async ({ signal }) => {
      const query = { ever: true, expand: ['gadget' as const], limit: 50, signal }
      const { data } = await client.members.access<{ gadget?: { site_id: string } }>(member_id ?? '', query)
      return data.flatMap(({ gadget }) => gadget?.site_id ?? [])
    },
    enabled: member_id !== undefined && has_several,
    staleTime: 60_000,
  })
  const groupOf = useRuleGroups(has_several ? group_ids : [])
  const named = site_id ? [site_id] : group_ids.flatMap(id => sitesOf(groupOf(id)?.permissions ?? []))
  const wanted = [...new Set(named.length > 0 ? named : reached)].sort()
  const younger = useSites(wanted.filter(id => has_next && oldest.every(site => site.id !== id)))
  const own = [...oldest.filter(({ id }) => wanted.includes(id)), ...younger]
  const concerned = own.length > 0 ? own : oldest
  const zones = zonesOf(concerned)
  const { data: zone } = useZone(site_id ?? siteThatCounts(concerned)?.id)
  const told = zone?.timezone ?? browserZone
  const others = [...new Set([...zones, browserZone])].filter(other => !haveSameClock(other, told))
  return { zone, others }
}

/** Loads sites one by one, because there may be too many to list. Most members have doors at few. */
function useSites(ids: readonly string[]): Site[] {
  const { client, organization } = useApi()
  const found = useQueries({
    queries: ids.slice(0, 20).map(id => ({
      queryKey: keyOf(organization.id, 'sites', 'one', id),
      queryFn: ({ signal }: { signal: AbortSignal }) => client.sites.get(id, { signal }),
      staleTime: 60_000,
    })),
  })
  return found.flatMap(({ data }) => data ?? [])
}

function zonesOf(sites: readonly { readonly timezone: string }[]): string[] {
  return [...new Set(sites.map(({ timezone }) => timezone))]
}
