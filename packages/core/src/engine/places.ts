import { grow } from './id-column.ts'
import type { DeviceRow, ScheduleRow, SiteGeo, SiteRow } from './policy-rows.ts'
import { compileWeek, noWeek, type Week } from './week.ts'
import { createZone, type Zone } from './zones.ts'

/**
 * Every record is a fixed cell: whoever names an id holds its cell, a change writes into it, and nothing that
 * points to it has to be made again. A cell that is only named so far does not live, so it grants nothing.
 */
export interface Site {
  id: string
  number: number
  zone: Zone
  geo: SiteGeo | null
}

export interface Schedule {
  id: string
  number: number
  is_living: boolean
  week: Week
}

export interface Places {
  zones: Map<string, Zone>
  sites: Map<string, Site>
  /** Of a device only its number matters. */
  devices: Map<string, number>
  schedules: Map<string, Schedule>
  site_cells: Site[]
  schedule_cells: Schedule[]
  /** By number, 1 for those that live: every decision asks it, so it has to stay in the cache. */
  site_lives: Uint8Array
  device_lives: Uint8Array
}

export function createPlaces(): Places {
  return {
    zones: new Map(),
    sites: new Map(),
    devices: new Map(),
    schedules: new Map(),
    site_cells: [],
    schedule_cells: [],
    site_lives: new Uint8Array(),
    device_lives: new Uint8Array(),
  }
}

export function putSite(places: Places, row: SiteRow): void {
  const site = siteCell(places, row.id)
  places.site_lives = setLife(places.site_lives, site.number, row)
  site.zone = zoneCell(places, row.timezone)
  site.geo = row.geo ?? null
}

export function putDevice(places: Places, row: DeviceRow): void {
  places.device_lives = setLife(places.device_lives, deviceNumber(places, row.id), row)
}

export function putSchedule(places: Places, row: ScheduleRow): void {
  const schedule = scheduleCell(places, row.id)
  schedule.is_living = !row.is_deleted
  schedule.week = compileWeek(row.weekdays)
}

export function siteCell(places: Places, id: string): Site {
  const zone = () => zoneCell(places, 'UTC')
  return numberedCell(places.sites, places.site_cells, id, number => ({
    id,
    number,
    zone: zone(),
    geo: null,
  }))
}

export function scheduleCell({ schedule_cells, schedules }: Places, id: string): Schedule {
  return numberedCell(schedules, schedule_cells, id, number => ({
    id,
    number,
    is_living: false,
    week: noWeek,
  }))
}

export function deviceNumber({ devices }: Places, id: string): number {
  return cell(devices, id, () => devices.size)
}

export function cell<Cell>(cells: Map<string, Cell>, id: string, make: () => Cell): Cell {
  const found = cells.get(id)
  if (found !== undefined) return found
  const made = make()
  cells.set(id, made)
  return made
}

function numberedCell<Cell>(
  cells: Map<string, Cell>,
  list: Cell[],
  id: string,
  make: (number: number) => Cell,
): Cell {
  return cell(cells, id, () => list[list.push(make(list.length)) - 1] as Cell)
}

function setLife(lives: Uint8Array, number: number, row: { is_deleted: boolean }): Uint8Array {
  const column = lives.length <= number ? grow(lives, number + 1) : lives
  column[number] = row.is_deleted ? 0 : 1
  return column
}

function zoneCell({ zones }: Places, name: string): Zone {
  return cell(zones, name, () => createZone(name))
}
