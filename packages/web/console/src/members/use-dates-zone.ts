import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import type { Zoned } from '../form/moment-input.tsx'
import { sitesOf } from '../groups/rule.ts'
import { useRuleGroups } from '../groups/use-rule-groups.ts'
import { browserZone } from '../parts/time.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'

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
  const { data: sites = [] } = useQuery({
    queryKey: keyOf(organization.id, 'sites', 'zones'),
    queryFn: async ({ signal }) =>
      (await client.sites.list({ limit: 100, sort: 'created_at:asc', signal })).data,
    staleTime: 60_000,
  })
  const has_several = zonesOf(sites).length > 1
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
  const own = sites.filter(({ id }) => (named.length > 0 ? named : reached).includes(id))
  const concerned = own.length > 0 ? own : sites
  const zones = zonesOf(concerned)
  const site = concerned.find(({ timezone }) => timezone === browserZone) ?? concerned[0]
  const { data: zone } = useZone(site_id ?? site?.id)
  const others = new Set([...zones, browserZone])
  others.delete(zone?.timezone ?? browserZone)
  return { zone, others: [...others] }
}

function zonesOf(sites: readonly { readonly timezone: string }[]): string[] {
  return [...new Set(sites.map(({ timezone }) => timezone))]
}
