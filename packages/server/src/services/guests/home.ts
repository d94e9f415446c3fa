import type { GuestGadget, GuestSite, Home, Resources, StoredOf, Who } from '@gatehouse-access/api'
import {
  brandColors,
  isUntold,
  type Policy,
  reasonForGuests,
  type Steps,
  toMicroseconds,
  type WaysToUse,
  waysToUseSteps,
} from '@gatehouse-access/core'
import { present } from '../../flow/present.ts'
import type { Context } from '../objects/context.ts'
import { logoUrl } from '../organizations/logos.ts'
import { pictureUrl } from '../places/pictures.ts'
import { listPlaces } from './places.ts'
import type { GuestSession } from './sessions.ts'

type Site = Pick<
  StoredOf<Resources['site']>,
  'id' | 'organization_id' | 'name' | 'timezone' | 'geo' | 'map' | 'phone' | 'email' | 'info' | 'check_in'
>
type GuestWay = GuestGadget['actions'][number]['ways'][number]
type UsableGadget = Pick<
  StoredOf<Resources['gadget']>,
  'id' | 'name' | 'site_id' | 'device_id' | 'actions'
> & { readonly is_online: boolean }

/** Returns what a member is shown. Lists columns explicitly: a member's name and metadata are never read. */
export async function getHome(context: Context, guest: GuestSession): Promise<Home> {
  const now = context.clock.now()
  const [who, gadgets, pins, offers_data_export] = await Promise.all([
    getWho(context, guest),
    listGadgets(context, guest, now),
    listPins(context, guest),
    offersExport(context, guest),
  ])
  return {
    ...who,
    now,
    access_ended_at: gadgets.length > 0 ? null : await groupsEndedAt(context, guest, now),
    sites: await listSitesOf(context, guest, gadgets),
    gadgets,
    pins,
    offers_data_export,
  }
}

/** Returns when the last group of a member ended, if all have and none is to come. */
async function groupsEndedAt(
  { db }: Context,
  { organization_id, member_id }: GuestSession,
  now: string,
): Promise<string | null> {
  const [row] = await db.query<{ ended_at: string | null }>(
    `SELECT CASE WHEN bool_and(coalesce(ends_at <= $3, false)) THEN max(ends_at) END AS ended_at FROM member_group_associations
     WHERE organization_id = $1 AND member_id = $2 AND NOT is_deleted`,
    [organization_id, member_id, now],
  )
  return row?.ended_at ?? null
}

/** Whether the organization lets its members fetch what it holds about them. */
export async function offersExport({ db }: Context, { organization_id }: GuestSession): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM organizations WHERE id = $1 AND (privacy->>'member_export')::boolean`,
    [organization_id],
  )
  return rows.length > 0
}

export async function getWho(context: Context, { organization_id, member_id }: GuestSession): Promise<Who> {
  const [row] = await context.db.query<Omit<Who, 'organization'> & Host>(
    `SELECT m.id AS member_id, o.name, o.color, o.logo_hash, m.starts_at, m.ends_at, m.language
     FROM members m JOIN organizations o ON o.id = m.organization_id WHERE m.organization_id = $1 AND m.id = $2`,
    [organization_id, member_id],
  )
  const { name, color, logo_hash, ...who } = present(row, `member ${member_id}`)
  return { ...who, organization: showHost(context, { id: organization_id, name, color, logo_hash }) }
}

interface Host {
  readonly name: string
  readonly color: string | null
  readonly logo_hash: string | null
}

function showHost(
  context: Context,
  { id, name, color, logo_hash }: Host & { readonly id: string },
): Who['organization'] {
  const logo_url = logo_hash && logoUrl(context, id, logo_hash)
  return { id, name, logo_url, color, colors: color === null ? null : brandColors(color) }
}

export async function listSites(context: Context, guest: GuestSession): Promise<GuestSite[]> {
  return listSitesOf(context, guest, await listGadgets(context, guest, context.clock.now()))
}

/** Without a gadget, as after a stay, the sites of the groups say where it was and whom to call. */
async function listSitesOf(
  context: Context,
  guest: GuestSession,
  gadgets: readonly GuestGadget[],
): Promise<GuestSite[]> {
  const { organization_id } = guest
  const ids =
    gadgets.length > 0
      ? [...new Set(gadgets.map(({ site_id }) => site_id))]
      : (await listPlaces(context.db, guest)).map(({ id }) => id)
  const rows = await context.db.query<Site>(
    `SELECT id, organization_id, name, timezone, geo, map, phone, email, info, check_in FROM sites
     WHERE organization_id = $1 AND id = ANY($2::text[]) ORDER BY name, id`,
    [organization_id, ids],
  )
  return rows.map(row => {
    const { organization_id: _own, ...site } = row
    return { ...site, zone: context.zones.table(row.timezone), map: showMap(context, row) }
  })
}

/** Serves the picture from the service's own origin. The ID at a map service is not exposed. */
function showMap(context: Context, { id, organization_id, map }: Site): NonNullable<GuestSite['map']> | null {
  if (!map) return null
  const { location = null, address = null, image_url } = map
  return {
    location,
    address,
    image_url: image_url ? pictureUrl(context, organization_id, id, image_url) : null,
  }
}

/** Uses a policy that includes everything committed, as every decision does. */
export async function listGadgets(
  { db, policies }: Context,
  { organization_id, member_id }: GuestSession,
  now: string,
): Promise<GuestGadget[]> {
  const usable = await policies.ask(organization_id, policy => usableGadgets(policy, { member_id, now }))
  const rows = await db.query<UsableGadget>(
    `SELECT g.id, g.name, g.site_id, g.device_id, g.actions, coalesce((d.status->>'online')::boolean, false) AS is_online
     FROM gadgets g JOIN devices d ON d.organization_id = g.organization_id AND d.id = g.device_id
     WHERE g.organization_id = $1 AND g.id = ANY($2::text[]) ORDER BY g.name, g.id`,
    [organization_id, [...usable.keys()]],
  )
  const names = await dayNames(db, organization_id, usable)
  return rows.map(row => ({ ...row, actions: showActions(row, usable, names) }))
}

/** More than a user would scroll through on a phone. */
const mostActions = 2000

/** Returns what a member may use now or later, by gadget. Covers all gadgets unless `gadget_ids` is given. */
export function* usableGadgets(
  policy: Policy,
  { member_id, now, gadget_ids }: { member_id: string; now: string; gadget_ids?: readonly string[] },
): Steps<Map<string, WaysToUse[]>> {
  const usable = new Map<string, WaysToUse[]>()
  const asked = { member_id, at: toMicroseconds(now), ...(gadget_ids && { gadget_ids }) }
  let count = 0
  for (const entry of waysToUseSteps(policy, asked)) {
    if (count === mostActions) return usable
    if (entry === undefined) yield
    else usable.set(entry.gadget_id, [...(usable.get(entry.gadget_id) ?? []), entry])
    if (entry !== undefined) count++
  }
  return usable
}

type DayNames = ReadonlyMap<string, string | null>

/** Reads the names of the days that close doors now. Guests read only public ones; exceptions have none for them. */
async function dayNames(
  db: Context['db'],
  organization_id: string,
  usable: Map<string, WaysToUse[]>,
): Promise<DayNames> {
  const ways = [...usable.values()].flat().flatMap(entry => entry.ways)
  const ids = new Set(ways.flatMap(({ closed_by }) => closed_by?.calendar_day_id ?? []))
  if (ids.size === 0) return new Map()
  const rows = await db.query<{ id: string; name: string | null }>(
    `SELECT id, name FROM calendar_days WHERE organization_id = $1 AND id = ANY($2::text[]) AND is_public AND NOT is_deleted`,
    [organization_id, [...ids]],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function showActions(
  { id, actions }: UsableGadget,
  usable: Map<string, WaysToUse[]>,
  names: DayNames,
): GuestGadget['actions'] {
  const ways = new Map(usable.get(id)?.map(entry => [entry.action_id, entry.ways]))
  return actions
    .filter(action => ways.has(action.id))
    .map(action => ({ ...action, ways: (ways.get(action.id) ?? []).map(way => showWay(way, names)) }))
}

/** A closed door tells neither why nor until when. */
function showWay(way: WaysToUse['ways'][number], names: DayNames): GuestWay {
  const { closed_by, next_allowed_at } = way
  const reason = way.reason && reasonForGuests(way.reason)
  const name = names.get(closed_by?.calendar_day_id ?? '') ?? null
  return {
    ...way,
    reason,
    next_allowed_at: isUntold(way.reason) ? null : next_allowed_at,
    closed_by: closed_by && { date: closed_by.date, name },
  }
}

export async function listPins(
  { db }: Context,
  { organization_id, member_id }: GuestSession,
): Promise<Home['pins']> {
  return db.query<Home['pins'][number]>(
    `SELECT id, length FROM member_pins WHERE organization_id = $1 AND member_id = $2 AND NOT is_deleted AND NOT is_suspended
     ORDER BY created_at DESC, id DESC LIMIT 1000`,
    [organization_id, member_id],
  )
}
