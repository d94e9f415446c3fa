import type { JournalEvent, SliceRows } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { inSlices } from '../../flow/slices.ts'
import { writeJson } from '../../flow/write-json.ts'
import type { DeviceKey } from './state.ts'

/**
 * A virtual device that is offline stores its slice and the events still to report. Both may be large, so
 * they are read row by row when needed, and nothing is written twice.
 */
export async function readOfflineSlice(db: Database, place: DeviceKey): Promise<SliceRows> {
  const rows = await db.query<{ kind: string; row: string }>(
    `SELECT kind, row::text AS row FROM virtual_devices v, jsonb_each(v.slice) AS kinds(kind, list), jsonb_array_elements(list) AS row
     WHERE v.organization_id = $1 AND v.device_id = $2`,
    [place.organization_id, place.device_id],
  )
  return inSlices(place.organization_id, gather(rows))
}

function* gather(rows: readonly { kind: string; row: string }[]): Steps<SliceRows> {
  const slice: Record<string, unknown[]> = {}
  for (const { kind, row } of rows) {
    slice[kind] ??= []
    slice[kind].push(JSON.parse(row))
    yield
  }
  return slice
}

export async function takeAlong(db: Database, place: DeviceKey, slice: SliceRows): Promise<void> {
  const text = await inSlices(place.organization_id, writeJson(slice))
  await db.query(
    'UPDATE virtual_devices SET slice = $3::text::jsonb WHERE organization_id = $1 AND device_id = $2',
    [place.organization_id, place.device_id, text],
  )
}

export async function holdBack(
  db: Database,
  place: DeviceKey,
  events: readonly JournalEvent[],
): Promise<void> {
  if (events.length === 0) return
  const text = await inSlices(place.organization_id, writeJson(events))
  await db.query(
    `UPDATE virtual_devices SET journal = journal || $3::text::jsonb WHERE organization_id = $1 AND device_id = $2`,
    [place.organization_id, place.device_id, text],
  )
}

/** A denial may name a thousand rules, so only this many events are read and reported at once. */
const eventsAtOnce = 8

/** Yields all buffered events in order. */
export async function* readHeldBack(db: Database, place: DeviceKey): AsyncGenerator<JournalEvent[]> {
  for (let start = 0; ; start += eventsAtOnce) {
    const rows = await db.query<{ event: JournalEvent }>(
      `SELECT event FROM virtual_devices v, jsonb_array_elements(v.journal) WITH ORDINALITY AS held(event, number)
       WHERE v.organization_id = $1 AND v.device_id = $2 AND number > $3::int ORDER BY number LIMIT ${eventsAtOnce}`,
      [place.organization_id, place.device_id, start],
    )
    if (rows.length > 0) yield rows.map(({ event }) => event)
    if (rows.length < eventsAtOnce) return
  }
}

export async function forgetOffline(db: Database, place: DeviceKey): Promise<void> {
  await db.query(
    `UPDATE virtual_devices SET slice = NULL, journal = '[]' WHERE organization_id = $1 AND device_id = $2`,
    [place.organization_id, place.device_id],
  )
}
