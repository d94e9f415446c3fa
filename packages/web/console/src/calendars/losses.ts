import type { Client } from '@gatehouse-access/sdk'
import { countText } from '../data/use-count.ts'
import { spoken, t } from '../language/t.ts'
import { addDays } from '../parts/dates.ts'
import { someNames } from '../parts/some-names.ts'
import { type CalendarDay, datesWords } from './calendar.ts'

/** Says which sites lose the days of a calendar, and how many schedules react to them. */
export async function calendarLossesOf(client: Client, id: string): Promise<readonly string[]> {
  const sites = await observersOf(client, id)
  if (sites.length === 0) return []
  const count = await countReacting(client, id)
  return [
    t(`Its days will be like any other at ${someNames(sites)}.`),
    ...(count > 0 ? [t(`${schedulesText(count)} will no longer react to its days.`)] : []),
  ]
}

/** Says the same of one day. Of one that is over nothing is lost. */
export async function dayLossesOf(client: Client, day: CalendarDay): Promise<readonly string[]> {
  if (isOver(day)) return []
  const sites = await observersOf(client, day.calendar_id)
  if (sites.length === 0) return []
  const schedules = await Array.fromAsync(client.schedules.all({ limit: 100 }))
  const count = schedules.filter(({ special_days }) =>
    special_days.some(({ kind }) => kind === day.kind),
  ).length
  return [
    t(`It will be like any other day at ${someNames(sites)}: ${datesWords(day)}.`),
    ...(count > 0 ? [t(`${schedulesText(count)} will no longer react to it.`)] : []),
  ]
}

/** By any clock: a day still lasts in some zone when it is over in UTC. */
function isOver({ starts_on, ends_on, recurrence }: CalendarDay): boolean {
  const yesterday = addDays(new Date().toISOString(), -1)
  return recurrence === 'none' && (ends_on ?? starts_on) < yesterday
}

async function observersOf(client: Client, id: string): Promise<string[]> {
  const sites = await Array.fromAsync(client.sites.all({ limit: 100, sort: 'name:asc' }))
  return sites.filter(({ calendar_ids }) => calendar_ids.includes(id)).map(({ name }) => name)
}

function schedulesText(count: number): string {
  return countText({ count, is_more: false }, spoken(['schedule', 'schedules']))
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
