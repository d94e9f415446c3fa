import type { Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { inSlices } from '../../flow/slices.ts'
import {
  type DaysWindow,
  listDays,
  type MergedDays,
  mergeDays,
  type SiteDay,
  type StoredDay,
  uniteDays,
  windowAt,
} from './merged-days.ts'

/** What the row of a site has of the calendars that it observes, as JSON. Sites that observe the same share it. */
export interface DaysOfSite {
  readonly json: string
}

/**
 * The special days of an organization's sites. Each calendar is read and merged once for each change, and
 * united once for all sites that observe the same calendars, however many devices they have.
 */
export interface SpecialDays {
  window: DaysWindow
  /** Merged, by calendar. Only observed ones. */
  readonly calendars: Map<string, MergedDays>
  /** By site. Sites that observe no calendar are left out. */
  by_site: ReadonlyMap<string, DaysOfSite>
  /** The sites that are looked at. All if undefined. */
  readonly sites?: readonly string[] | undefined
  /** Rows of sites with their days, by site: long ones that many slices hold are made once. */
  readonly rows: Map<string, { readonly days: DaysOfSite; readonly without: string; readonly row: string }>
}

/** What changed: calendars, or days of calendars. */
export interface ChangedDays {
  readonly calendars: ReadonlySet<string>
  readonly days: ReadonlySet<string>
}

/** Bytes. A row must fit into a frame. */
const mostBytes = 512 * 1024
/** Days per query. */
const page = 1000

export async function loadDays(
  db: Database,
  organizationId: string,
  now: string,
  sites?: readonly string[],
): Promise<SpecialDays> {
  const days: SpecialDays = {
    window: windowAt(now),
    sites,
    calendars: new Map(),
    by_site: new Map(),
    rows: new Map(),
  }
  await bringUpToDate(db, organizationId, days)
  return days
}

/** Reads again what changed, or everything if the window has moved. Returns the sites whose days are others. */
export async function rereadDays(
  db: Database,
  organizationId: string,
  days: SpecialDays,
  now: string,
  changed?: ChangedDays,
): Promise<Set<string>> {
  const window = windowAt(now)
  if (window.from !== days.window.from) days.calendars.clear()
  days.window = window
  for (const id of changed?.calendars ?? []) days.calendars.delete(id)
  for (const id of await calendarsOf(db, organizationId, changed?.days)) days.calendars.delete(id)
  const before = days.by_site
  await bringUpToDate(db, organizationId, days)
  const sites = new Set([...before.keys(), ...days.by_site.keys()])
  return new Set([...sites].filter(id => before.get(id)?.json !== days.by_site.get(id)?.json))
}

async function calendarsOf(
  db: Database,
  organizationId: string,
  days: ReadonlySet<string> | undefined,
): Promise<string[]> {
  if (!days?.size) return []
  const rows = await db.query<{ calendar_id: string }>(
    'SELECT DISTINCT calendar_id FROM calendar_days WHERE organization_id = $1 AND id = ANY($2::text[])',
    [organizationId, [...days]],
  )
  return rows.map(row => row.calendar_id)
}

async function bringUpToDate(db: Database, organizationId: string, days: SpecialDays): Promise<void> {
  const observed = await findObserved(db, organizationId, days.sites)
  const wanted = new Set([...observed.values()].flat())
  for (const id of days.calendars.keys()) if (!wanted.has(id)) days.calendars.delete(id)
  for (const id of wanted)
    if (!days.calendars.has(id))
      days.calendars.set(id, await readCalendar(db, organizationId, id, days.window))
  const united = new Map<string, DaysOfSite>()
  const bySite = new Map<string, DaysOfSite>()
  for (const [site, calendars] of observed) {
    const key = calendars.join(' ')
    const own = united.get(key) ?? (await unite(organizationId, days, calendars))
    united.set(key, own)
    bySite.set(site, own)
  }
  days.by_site = bySite
  for (const id of days.rows.keys()) if (!bySite.has(id)) days.rows.delete(id)
}

/** Returns the living calendars that each site observes, in a fixed order. */
async function findObserved(
  db: Database,
  organizationId: string,
  sites: readonly string[] | undefined,
): Promise<Map<string, string[]>> {
  const rows = await db.query<{ site_id: string; calendar_id: string }>(
    `SELECT s.id AS site_id, c.id AS calendar_id FROM sites s
     JOIN calendars c ON c.organization_id = s.organization_id AND c.id = ANY(s.calendar_ids) AND NOT c.is_deleted
     WHERE s.organization_id = $1 AND NOT s.is_deleted AND s.calendar_ids <> '{}' AND ($2::text[] IS NULL OR s.id = ANY($2::text[]))
     ORDER BY s.id, c.id`,
    [organizationId, sites ?? null],
  )
  const observed = new Map<string, string[]>()
  for (const { site_id, calendar_id } of rows) {
    const known = observed.get(site_id)
    if (known) known.push(calendar_id)
    else observed.set(site_id, [calendar_id])
  }
  return observed
}

async function readCalendar(
  db: Database,
  organizationId: string,
  calendarId: string,
  window: DaysWindow,
): Promise<MergedDays> {
  const all: StoredDay[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: (StoredDay & { readonly id: string })[] = await db.query<StoredDay & { id: string }>(
      `SELECT id, kind, starts_on, ends_on, recurrence FROM calendar_days
       WHERE organization_id = $1 AND calendar_id = $2 AND NOT is_deleted AND id > $3 ORDER BY id LIMIT ${page}`,
      [organizationId, calendarId, after],
    )
    all.push(...rows)
    after = rows.length < page ? undefined : rows.at(-1)?.id
  }
  return inSlices(organizationId, mergeDays(all, window))
}

/** Also without days in the window: the last date up to which that is known travels with them. */
async function unite(
  organizationId: string,
  { calendars, window }: SpecialDays,
  ids: readonly string[],
): Promise<DaysOfSite> {
  const merged = ids.flatMap(id => calendars.get(id) ?? [])
  const united = await inSlices(organizationId, uniteDays(merged))
  const days = await inSlices(organizationId, listDays(united, window))
  return inSlices(organizationId, daysOfSite(days, window))
}

/**
 * If there are too many days for a frame, the horizon is nearer: beyond it, schedules with special days are
 * closed. Yearly days have no horizon, so if not even they fit, nothing is known from the first date on.
 */
export function* daysOfSite(days: readonly SiteDay[], { from, until }: DaysWindow): Steps<DaysOfSite> {
  const kept = new Map<SiteDay, string>()
  let room = mostBytes
  let cut: string | undefined
  for (const day of [...days.filter(({ yearly }) => yearly), ...days.filter(({ yearly }) => !yearly)]) {
    const text = JSON.stringify(day)
    room -= text.length + 1
    if (room < 0) cut = day.yearly ? from : day.from
    if (cut !== undefined) break
    kept.set(day, text)
    yield
  }
  const rows = days.flatMap(day => kept.get(day) ?? [])
  return { json: `"days":[${rows.join(',')}],"days_until":"${cut ? dayBefore(cut) : until}"` }
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)
}
