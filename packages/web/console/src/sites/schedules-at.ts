import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import type { ExpandedRule, Group } from '../groups/rule.ts'
import { t } from '../language/t.ts'
import type { Exception, Schedule, SpecialDay } from '../schedules/schedule.ts'
import { useApi } from '../session/use-api.ts'

/** A schedule that decides about doors of a site, by a rule or by a trigger. */
export interface UsedSchedule {
  readonly id: string
  readonly name: string
  readonly special_days: readonly SpecialDay[]
  readonly exceptions: readonly Exception[]
  /** The doors of the site that it decides about. Null: all. */
  readonly doors: ReadonlySet<string> | null
  /** The names of the other sites that it is used at. Null: all sites. */
  readonly elsewhere: readonly string[] | null
}

export interface SchedulesAt {
  readonly schedules: readonly UsedSchedule[]
  /** True if the organization has more groups than were looked at. */
  readonly has_more: boolean
}

const mostPages = 3
const mostTags = 20
type Tagged = Map<string, readonly { readonly id: string; readonly site_id: string }[]>
const groupExpands = ['permissions.schedule', 'permissions.gadget', 'permissions.site']
type Trigger = { source_schedule?: Schedule; target_gadget_id: string }

/**
 * Finds the schedules that are used at a site. Reads at most 300 groups, 20 tags with 100 doors each, and 100
 * triggers.
 */
export function useSchedulesAt(site_id: string, enabled: boolean) {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, 'days', 'schedules', site_id),
    enabled,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<SchedulesAt> => {
      const rules: ExpandedRule[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page++) {
        const groups = await client.member_groups.list({
          limit: 100,
          expand: groupExpands,
          ...(cursor && { cursor }),
          signal,
        })
        rules.push(...groups.data.flatMap(group => (group as unknown as Group).permissions))
        cursor = groups.has_next ? groups.cursor_next : undefined
        if (!cursor) break
      }
      const tags = [...new Set(rules.flatMap(({ schedule, tag_id }) => (schedule && tag_id) || []))]
      const tagged: Tagged = new Map()
      for (const id of tags.slice(0, mostTags)) {
        const doors = await client.gadgets.list({ tag_ids: [id], limit: 100, signal })
        tagged.set(id, doors.data)
      }
      const triggers = await client.gadget_triggers.list<Trigger>({
        site_id,
        limit: 100,
        expand: ['source_schedule'],
        signal,
      })
      const by_trigger = triggers.data.flatMap(({ source_schedule, target_gadget_id }) =>
        source_schedule ? [{ schedule: source_schedule, site_id, gadget_id: target_gadget_id }] : [],
      )
      return {
        schedules: gather([...rules.flatMap(rule => toUse(rule, tagged)), ...by_trigger], site_id),
        has_more: cursor !== undefined,
      }
    },
  })
}

interface Use {
  readonly schedule: Schedule
  /** Undefined: every site. */
  readonly site_id?: string | undefined
  readonly site_name?: string | undefined
  /** Undefined: every door. */
  readonly gadget_id?: string | undefined
}

/** A rule for a tag is one for each of its doors. */
function toUse(rule: ExpandedRule, tagged: Tagged): Use[] {
  const { schedule, gadget, gadget_id, site, site_id, tag_id } = rule
  if (!schedule || schedule.is_deleted) return []
  if (tag_id)
    return (tagged.get(tag_id) ?? []).map(door => ({ schedule, site_id: door.site_id, gadget_id: door.id }))
  return [
    {
      schedule,
      site_id: gadget?.site_id ?? site_id ?? undefined,
      site_name: site?.name,
      gadget_id: gadget_id ?? undefined,
    },
  ]
}

/** Returns each schedule that is used at the site once. */
export function gather(uses: readonly Use[], site_id: string): readonly UsedSchedule[] {
  return [...Map.groupBy(uses, ({ schedule }) => schedule.id).values()].flatMap(all => {
    const here = all.filter(use => use.site_id === undefined || use.site_id === site_id)
    const [first] = here
    if (!first) return []
    const { id, name, special_days, exceptions } = first.schedule
    const doors = here.map(({ gadget_id }) => gadget_id)
    const others = all.filter(use => use.site_id !== site_id)
    return {
      id,
      name,
      special_days,
      exceptions,
      doors: doors.includes(undefined) ? null : new Set(doors as string[]),
      elsewhere: others.some(use => use.site_id === undefined)
        ? null
        : [...new Set(others.map(({ site_name }) => site_name ?? t('another site')))],
    }
  })
}

/** Returns the kinds of days that a schedule does not react to. */
export function ignoredKinds({ special_days }: UsedSchedule, kinds: readonly string[]): readonly string[] {
  return kinds.filter(kind => !special_days.some(day => day.kind === kind))
}
