import { compareStrings } from './id-column.ts'
import type { DeviceRow, GadgetRow, ScheduleRow, SiteGeo, SiteRow } from './policy-rows.ts'
import { compileWeek, noWeek, type Week } from './week.ts'
import { createZone, type Zone } from './zones.ts'

/**
 * Every record is a fixed cell: whoever names an id holds its cell, a change writes into it, and nothing that
 * points to it has to be made again. A cell that is only named so far does not live, so it grants nothing.
 */
export interface Site {
  id: string
  is_living: boolean
  /** One of the bits by which groups tell what their rules are about, see `Groups`. */
  target_bit: number
  zone: Zone
  geo: SiteGeo | null
}

export interface Device {
  id: string
  is_living: boolean
}

export interface Gadget {
  id: string
  is_living: boolean
  target_bit: number
  site: Site
  device: Device
  actions: readonly string[]
}

export interface Schedule {
  id: string
  is_living: boolean
  week: Week
}

export interface Places {
  zones: Map<string, Zone>
  sites: Map<string, Site>
  devices: Map<string, Device>
  gadgets: Map<string, Gadget>
  schedules: Map<string, Schedule>
  /** Gadgets share their lists of actions: there are few different ones, which then stay in the cache. */
  action_lists: Map<string, readonly string[]>
  /** All gadgets by id, made when asked for. */
  sorted_gadgets: Gadget[]
}

export function createPlaces(): Places {
  return {
    zones: new Map(),
    sites: new Map(),
    devices: new Map(),
    gadgets: new Map(),
    schedules: new Map(),
    action_lists: new Map(),
    sorted_gadgets: [],
  }
}

export function putSite(places: Places, row: SiteRow): void {
  const site = siteCell(places, row.id)
  site.is_living = !row.is_deleted
  site.zone = zoneCell(places, row.timezone)
  site.geo = row.geo ?? null
}

export function putDevice(places: Places, row: DeviceRow): void {
  deviceCell(places, row.id).is_living = !row.is_deleted
}

export function putGadget(places: Places, row: GadgetRow): void {
  const gadget = gadgetCell(places, row.id)
  gadget.is_living = !row.is_deleted
  gadget.site = siteCell(places, row.site_id)
  gadget.device = deviceCell(places, row.device_id)
  const actions = row.actions.map(action => action.id)
  gadget.actions = cell(places.action_lists, actions.join(), () => actions)
}

export function putSchedule(places: Places, row: ScheduleRow): void {
  const schedule = scheduleCell(places, row.id)
  schedule.is_living = !row.is_deleted
  schedule.week = compileWeek(row.weekdays)
}

export function siteCell(places: Places, id: string): Site {
  return cell(places.sites, id, () => ({
    id,
    is_living: false,
    target_bit: nextBit(places.sites),
    zone: zoneCell(places, 'UTC'),
    geo: null,
  }))
}

export function gadgetCell(places: Places, id: string): Gadget {
  return cell(places.gadgets, id, () => ({
    id,
    is_living: false,
    target_bit: nextBit(places.gadgets),
    site: siteCell(places, ''),
    device: deviceCell(places, ''),
    actions: [],
  }))
}

export function scheduleCell({ schedules }: Places, id: string): Schedule {
  return cell(schedules, id, () => ({ id, is_living: false, week: noWeek }))
}

export function livingGadget({ gadgets }: Places, id: string): Gadget | undefined {
  const gadget = gadgets.get(id)
  return gadget?.is_living && gadget.device.is_living && gadget.site.is_living ? gadget : undefined
}

/** All gadgets in the order of their ids. A gadget is never taken out, so their number tells whether it is complete. */
export function gadgetsInOrder(places: Places): readonly Gadget[] {
  if (places.sorted_gadgets.length !== places.gadgets.size)
    places.sorted_gadgets = [...places.gadgets.values()].sort((a, b) => compareStrings(a.id, b.id))
  return places.sorted_gadgets
}

export function cell<Cell>(cells: Map<string, Cell>, id: string, make: () => Cell): Cell {
  const found = cells.get(id)
  if (found !== undefined) return found
  const made = make()
  cells.set(id, made)
  return made
}

/** The bits go round: 31 of them, because the last one of a word is taken. */
function nextBit(cells: Map<string, unknown>): number {
  return 1 << (cells.size % 31)
}

function deviceCell({ devices }: Places, id: string): Device {
  return cell(devices, id, () => ({ id, is_living: false }))
}

function zoneCell({ zones }: Places, name: string): Zone {
  return cell(zones, name, () => createZone(name))
}
