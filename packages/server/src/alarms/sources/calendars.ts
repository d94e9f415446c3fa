import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { type Author, conditionKey } from '../condition.ts'
import { endAlarm } from '../end-alarms.ts'
import { openAlarm } from '../open-alarms.ts'

/** Seconds that a calendar may go without a refresh. */
const patience = 3 * 24 * 3600

interface Refresh {
  readonly calendar_id: string
  /** When one last succeeded, or since when there is none. */
  readonly fresh_at: string
  readonly has_failed: boolean
}

/** To be called after each try. Needs a transaction. */
export async function followRefresh(
  db: Database,
  author: Author,
  { calendar_id, fresh_at, has_failed }: Refresh,
): Promise<void> {
  const type = 'calendar_not_refreshed'
  const condition_key = conditionKey(type, calendar_id)
  const started_at = addSeconds(fresh_at, patience)
  if (!has_failed) await endAlarm(db, author, condition_key, author.now)
  else if (started_at <= author.now)
    await openAlarm(db, author, { type, condition_key, calendar_id, started_at })
}
