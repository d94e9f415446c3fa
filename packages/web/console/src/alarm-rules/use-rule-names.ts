import { useQueries } from '@tanstack/react-query'
import { collection, keyOf, type Plural } from '../data/collections.ts'
import { useObject } from '../data/use-object.ts'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import type { RuleValues } from './rule-values.ts'
import type { Names } from './sentence.ts'
import { useRecipients } from './use-recipients.ts'

const most = 3

/** Loads the names that a sentence about a rule mentions. */
export function useRuleNames(rule: RuleValues): Names {
  const { nameOf } = useRecipients()
  const { data: schedule } = useObject('schedules', rule.schedule_id)
  return {
    recipient: nameOf,
    sites: useNameList('sites', rule.site_ids),
    gadgets: useNameList('gadgets', rule.gadget_ids),
    devices: useNameList('devices', rule.device_ids),
    tags: useNameList('tags', rule.tag_ids),
    schedule: schedule?.weekdays,
  }
}

/** Returns the first names and how many more there are, as a sentence lists them. */
function useNameList(plural: Plural, ids: readonly string[]): readonly string[] {
  const { client, organization } = useApi()
  const held = useQueries({
    queries: ids.slice(0, most).map(id => ({
      queryKey: keyOf(organization.id, plural, 'one', id, []),
      queryFn: () => collection(client, plural).get(id) as Promise<{ name: string | null }>,
      staleTime: 60_000,
    })),
  })
  const names = held.map(({ data }) => data?.name ?? '…')
  return ids.length > most ? [...names, t(`${ids.length - most} more`)] : names
}
