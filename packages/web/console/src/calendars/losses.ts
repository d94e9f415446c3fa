import type { Client } from '@gatehouse-access/sdk'
import { countText } from '../data/use-count.ts'
import { spoken, t } from '../language/t.ts'
import { someNames } from '../parts/some-names.ts'

/** Says which sites lose the days of a calendar, and how many schedules react to them. */
export async function calendarLossesOf(client: Client, id: string): Promise<readonly string[]> {
  const sites: string[] = []
  for await (const { name, calendar_ids } of client.sites.all({ limit: 100, sort: 'name:asc' }))
    if (calendar_ids.includes(id)) sites.push(name)
  if (sites.length === 0) return []
  const count = await countReacting(client, id)
  const schedules = countText({ count, is_more: false }, spoken(['schedule', 'schedules']))
  return [
    t(`Its days will be like any other at ${someNames(sites)}.`),
    ...(count > 0 ? [t(`${schedules} will no longer react to its days.`)] : []),
  ]
}

/** Asks once for each kind that any schedule knows: a calendar can have thousands of days. */
async function countReacting(client: Client, id: string): Promise<number> {
  const schedules = await Array.fromAsync(client.schedules.all({ limit: 100 }))
  const kinds = new Set(schedules.flatMap(({ special_days }) => special_days.map(({ kind }) => kind)))
  const found = new Set<string>()
  for (const kind of kinds) {
    const { data } = await client.calendar_days.list(id, { kind, limit: 1 })
    if (data.length > 0) found.add(kind)
  }
  return schedules.filter(({ special_days }) => special_days.some(({ kind }) => found.has(kind))).length
}
