import type { RefreshError } from '@gatehouse-access/api'
import { inSlices } from '../../flow/slices.ts'
import { readTable } from '../../holidays/holidays.ts'
import { NotACalendar } from '../../ics/content-lines.ts'
import { type FoundDay, readDays, TooManyDays } from '../../ics/read-days.ts'
import { FileError, fetchFile, type Outbound } from '../../outbound/fetch-file.ts'
import { sealedAs } from '../../vault/contexts.ts'
import type { Context } from '../objects/context.ts'
import type { DueCalendar } from './due-calendars.ts'

const largestFeed = 5 * 1024 * 1024
const longestFetch = 10_000
/** Years of the tables before and after the present one. Devices know days of five years ahead. */
const [before, ahead] = [1, 6]

/** Returns the days that a source has now, or why it could not tell. */
export async function findSourceDays(
  context: Context,
  outbound: Outbound,
  due: DueCalendar,
): Promise<readonly FoundDay[] | RefreshError> {
  const { source } = due
  if (source.type === 'ics') return readFeed(context, outbound, due)
  const year = Number(context.clock.now().slice(0, 4))
  const years = Array.from({ length: before + 1 + ahead }, (_, index) => year - before + index)
  const days = await readTable({ ...source, years })
  return days.length === 0 ? 'unknown_country' : days
}

async function readFeed(
  context: Context,
  outbound: Outbound,
  { organization_id, id, url_ciphertext }: DueCalendar,
): Promise<readonly FoundDay[] | RefreshError> {
  if (!url_ciphertext) return 'connection_failed'
  const url = context.vault.decrypt(url_ciphertext, sealedAs.calendar(id))
  const options = { organization_id, user_agent: 'Gatehouse', most: largestFeed, longest: longestFetch }
  try {
    const text = new TextDecoder().decode(await fetchFile(outbound, url, options))
    const most = context.quotas.most('calendar.calendar_day')
    return (await inSlices(organization_id, readDays(text, most))).days
  } catch (error) {
    if (error instanceof FileError) return error.code
    if (error instanceof NotACalendar) return 'not_a_calendar'
    if (error instanceof TooManyDays) return 'too_many_days'
    throw error
  }
}
