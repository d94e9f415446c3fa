import type {
  AccessMethod,
  GadgetRow,
  GroupRow,
  PermissionRule,
  PolicyRows,
  Question,
} from '../../packages/core/src/index.ts'
import { makeId, toMicroseconds } from '../../packages/core/src/index.ts'

/** The organization for the comparison, drawn from one seed, so that every engine gets the same data. */
export interface Size {
  members: number
  groups: number
  gadgets: number
  sites: number
}

export const issueSize: Size = { members: 10_000, groups: 200, gadgets: 1_000, sites: 50 }
export const rulesPerGroup = 5

const zones = [
  'Europe/Madrid',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]

export type Draw = (below: number) => number

/** The mulberry32 generator. */
export function createDraw(seed: number): Draw {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Returns the creation time in milliseconds of the object with this index. */
export type CreationTimes = (index: number) => number

/** Gives each seed its own range of creation times. */
export function createdTogether(seed: number): CreationTimes {
  return index => 1_790_000_000_000 + seed * 10_000_000 + index
}

/** Interleaves the objects of `count` organizations in creation order. */
export function createdInTurn(place: number, count: number): CreationTimes {
  return index => 1_790_000_000_000 + index * count + place
}

/** The creation times affect only the ids. */
export function makeOrganization(size: Size, seed = 1, times = createdTogether(seed)): PolicyRows {
  const draw = createDraw(seed)
  const drawId = (prefix: string, index: number) =>
    makeId(
      prefix,
      times(index),
      Uint8Array.from({ length: 7 }, () => draw(256)),
    )
  const ids = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => drawId(prefix, index))
  const siteIds = ids('site', size.sites)
  const gadgets = ids('gad', size.gadgets).map((id, index) => makeGadget(id, index, siteIds))
  const scheduleIds = ids('sch', 20)
  const groupIds = ids('mg', size.groups)
  const memberIds = ids('mem', size.members)
  return {
    sites: siteIds.map((id, index) => ({
      id,
      timezone: zones[index % zones.length] as string,
      geo: { location: { lat: 41, lng: 2 }, radius: 300 },
      is_deleted: false,
    })),
    devices: gadgets.map(({ device_id }) => ({ id: device_id, is_deleted: false })),
    gadgets,
    schedules: scheduleIds.map(id => ({ id, weekdays: drawWeek(draw), is_deleted: false })),
    groups: groupIds.map(id => makeGroup(draw, id, gadgets, scheduleIds)),
    members: memberIds.map(id => ({ id, ...drawDates(draw), is_deleted: false })),
    associations: memberIds.flatMap((member_id, index) =>
      Array.from({ length: 1 + draw(2) }, (_, place) => ({
        id: drawId('mga', index * 2 + place),
        member_id,
        member_group_id: groupIds[draw(groupIds.length)] as string,
        starts_at: null,
        ends_at: null,
        is_deleted: false,
      })),
    ),
    credentials: [],
  }
}

/** Half of the questions are about a gadget that one of the member's rules names, half about any gadget. */
export function drawQuestions(
  rows: PolicyRows,
  count: number,
  memberCount = rows.members.length,
  seed = 2,
): Question[] {
  const draw = createDraw(seed)
  const groups = new Map(rows.groups.map(group => [group.id, group]))
  const groupsOfMember = Map.groupBy(rows.associations, ({ member_id }) => member_id)
  const monday = toMicroseconds('2026-11-16T00:00:00.000000Z')
  const stride = Math.max(1, Math.floor(rows.members.length / memberCount))
  const gadgets = new Map(rows.gadgets.map(gadget => [gadget.id, gadget]))
  const questions = Array.from({ length: count }, () => {
    const member_id = rows.members[draw(memberCount) * stride]?.id ?? ''
    const association = pick(draw, groupsOfMember.get(member_id) ?? [])
    const rule = pick(draw, groups.get(association.member_group_id)?.permissions ?? [])
    const named = draw(2) === 0 && rule.gadget_id ? gadgets.get(rule.gadget_id) : undefined
    const gadget = named ?? pick(draw, rows.gadgets)
    return {
      member_id,
      gadget_id: gadget.id,
      action_id: pick(draw, gadget.actions).id,
      access_method: pick<AccessMethod>(draw, ['online', 'pin', 'card', 'bluetooth']),
      at: monday + draw(7 * 86_400) * 1_000_000 + draw(1_000_000),
      location: { lat: 41.001, lng: 2.001 },
    }
  })
  // Creates separate strings, as parsed from the wire.
  return JSON.parse(JSON.stringify(questions))
}

function pick<Item>(draw: Draw, items: readonly Item[]): Item {
  return items[draw(items.length)] as Item
}

function makeGadget(id: string, index: number, siteIds: string[]): GadgetRow {
  const site_id = siteIds[index % siteIds.length] as string
  const actions = [{ id: 'open' }, { id: 'close' }]
  return { id, site_id, device_id: `dev_${id.slice(4)}`, actions, is_deleted: false }
}

function makeGroup(draw: Draw, id: string, gadgets: GadgetRow[], scheduleIds: string[]): GroupRow {
  const permissions = Array.from({ length: rulesPerGroup }, () => drawRule(draw, gadgets, scheduleIds))
  return { id, permissions, is_deleted: false }
}

/** A third have a schedule, a tenth apply to a whole site, some require presence or list methods. */
function drawRule(draw: Draw, gadgets: GadgetRow[], scheduleIds: string[]): PermissionRule {
  const gadget = pick(draw, gadgets)
  return {
    ...(draw(10) === 0 ? { site_id: gadget.site_id } : { gadget_id: gadget.id }),
    ...(draw(3) === 0 && { schedule_id: pick(draw, scheduleIds) }),
    ...(draw(8) === 0 && { presence: 'gps' as const }),
    ...(draw(4) === 0 && { access_methods: { online: true, pin: draw(2) === 0, card: true } }),
  }
}

function drawWeek(draw: Draw) {
  const opening = 6 + draw(4)
  const hours = [
    { start: opening * 3600, end: 12 * 3600 },
    { start: 13 * 3600, end: (17 + draw(5)) * 3600 },
  ]
  return Array.from({ length: 7 }, (_, day) => ({ ranges: day < 5 ? hours : hours.slice(0, draw(2)) }))
}

function drawDates(draw: Draw) {
  if (draw(2) === 0) return { starts_at: null, ends_at: null }
  return { starts_at: '2026-11-01T15:00:00.000000Z', ends_at: '2026-12-01T10:00:00.000000Z' }
}
