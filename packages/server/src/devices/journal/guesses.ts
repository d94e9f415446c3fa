import type { EventObject, JournalEvent } from '@gatehouse-access/api'
import { addSeconds, guessBudgets } from '@gatehouse-access/core'
import { logEvents } from '../../store/event-log.ts'
import type { Write } from '../../store/write.ts'
import { isAcceptable } from './acceptable.ts'
import type { References } from './references.ts'

/** Seconds. */
const alarmLength = 3600
const hour = 3600
const day = 24 * hour

type Method = 'pin' | 'card'

interface Guess {
  readonly method: Method
  readonly at: string
}

interface Counts {
  readonly method: Method
  readonly device_hour: number
  readonly device_day: number
  readonly site_hour: number
  readonly site_day: number
}

/** An unknown PIN or card. Without a gadget no input code matched, and nothing was looked up. */
export function guessOf(references: References, event: JournalEvent, at: string): Guess[] {
  if (event.type !== 'denial' || event.reason !== 'unknown_credential' || !event.gadget_id) return []
  const { access_method: method } = event
  if ((method !== 'pin' && method !== 'card') || !isAcceptable(references, event)) return []
  return [{ method, at }]
}

/**
 * Counts wrong entries per device and per site, because moving between keypads or trying every few minutes
 * avoids long pauses. A spent budget logs an event, at most once an hour. For PINs it also makes all keypads
 * of the site stricter.
 */
export async function countGuesses(
  write: Write,
  device: References['device'],
  guesses: readonly Guess[],
): Promise<void> {
  if (guesses.length === 0) return
  for (const counts of await add(write, device, guesses)) {
    const { method } = counts
    if (counts.device_hour > guessBudgets.device.hour || counts.device_day > guessBudgets.device.day)
      await alarm(write, method, device.id, { type: 'device', device_id: device.id, site_id: device.site_id })
    if (counts.site_hour > guessBudgets.site.hour || counts.site_day > guessBudgets.site.day)
      await alarm(write, method, device.site_id, { type: 'site', site_id: device.site_id })
  }
}

async function add({ db, caller, now }: Write, device: References['device'], guesses: readonly Guess[]) {
  const place = [caller.organization_id, device.site_id, device.id]
  await db.query(
    `INSERT INTO wrong_entries AS w (organization_id, site_id, device_id, method, slot, count)
     SELECT $1, $2, $3, e.method, date_bin('5 minutes', e.at, 'epoch'), count(*) FROM jsonb_to_recordset($4::jsonb) AS e(method text, at timestamptz)
     WHERE e.at > $5::timestamptz GROUP BY 4, 5
     ON CONFLICT (organization_id, site_id, method, slot, device_id) DO UPDATE SET count = w.count + excluded.count`,
    [...place, guesses, addSeconds(now, -day)],
  )
  return db.query<Counts & object>(
    `SELECT method,
       coalesce(sum(count) FILTER (WHERE device_id = $3 AND slot > $4::timestamptz), 0)::integer AS device_hour,
       coalesce(sum(count) FILTER (WHERE device_id = $3), 0)::integer AS device_day,
       coalesce(sum(count) FILTER (WHERE slot > $4::timestamptz), 0)::integer AS site_hour,
       sum(count)::integer AS site_day
     FROM wrong_entries WHERE organization_id = $1 AND site_id = $2 AND slot > $5::timestamptz GROUP BY method`,
    [...place, addSeconds(now, -hour), addSeconds(now, -day)],
  )
}

async function alarm(write: Write, method: Method, placeId: string, object: EventObject): Promise<void> {
  const { db, caller, now } = write
  const { organization_id } = caller
  const until = addSeconds(now, alarmLength)
  const raised = await db.query(
    `INSERT INTO guessing_alarms AS a (organization_id, place_id, method, until) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, place_id, method) DO UPDATE SET until = excluded.until WHERE a.until <= $5 RETURNING 1`,
    [organization_id, placeId, method, until, now],
  )
  if (raised.length === 0) return
  if (object.type === 'site' && method === 'pin')
    await db.query('UPDATE sites SET pins_alarmed_until = $3 WHERE organization_id = $1 AND id = $2', [
      organization_id,
      placeId,
      until,
    ])
  const reason = method === 'pin' ? 'pin_guessing' : 'card_guessing'
  const told = { organization_id, subject: {}, verb: 'edit', object: { ...object, reason } } as const
  await logEvents(db, [{ ...told, created_at: now, recorded_at: now }])
}
