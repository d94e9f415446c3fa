import type { ZoneTable } from '../zone-table.ts'
import { cell, numberedCell } from './cells.ts'
import type { Calendars } from './days/calendars.ts'
import type { Edition } from './days/edition.ts'
import { noSiteDays, type SiteDays, siteDaysOf } from './days/site-days.ts'
import type { TimesMemo } from './days/times-memo.ts'
import { grow } from './id-column.ts'
import type { DeviceRow, SiteGeo, SiteRow } from './policy-rows.ts'
import type { Schedules } from './schedules.ts'
import { createZone, setTable, type Zone } from './zones.ts'

export interface Site {
  id: string
  number: number
  zone: Zone
  geo: SiteGeo | null
  days: SiteDays
  edition: Edition
  memo: TimesMemo | null
}

/** Looks up the table of a zone by its name; null to ask the runtime. */
export type FindZoneTable = (name: string) => ZoneTable | null

export interface Places extends Schedules, Calendars {
  edition: Edition
  zone_table: FindZoneTable
  zones: Map<string, Zone>
  sites: Map<string, Site>
  /** The engine needs only a device's number. */
  devices: Map<string, number>
  site_cells: Site[]
  /** By number, 1 when living. Every decision reads these columns, so they must stay in the CPU cache. */
  site_lives: Uint8Array
  device_lives: Uint8Array
}

export function createPlaces(zone_table: FindZoneTable = () => null): Places {
  return {
    edition: { number: 0 },
    zone_table,
    calendars: new Map(),
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
  site.days = siteDaysOf(places, row)
  places.edition.number++
}

export function putDevice(places: Places, row: DeviceRow): void {
  places.device_lives = setLife(places.device_lives, deviceNumber(places, row.id), row)
}

export function siteCell(places: Places, id: string): Site {
  const zone = () => zoneCell(places, 'UTC')
  return numberedCell(places.sites, places.site_cells, id, number => ({
    id,
    number,
    zone: zone(),
    geo: null,
    days: noSiteDays,
    edition: places.edition,
    memo: null,
  }))
}

export function deviceNumber({ devices }: Places, id: string): number {
  return cell(devices, id, () => devices.size)
}

function setLife(lives: Uint8Array, number: number, row: { is_deleted: boolean }): Uint8Array {
  const column = lives.length <= number ? grow(lives, number + 1) : lives
  column[number] = row.is_deleted ? 0 : 1
  return column
}

/** Replaces the table of a zone; null to ask the runtime alone. */
export function putZoneTable(places: Places, name: string, table: ZoneTable | null): void {
  setTable(zoneCell(places, name), table)
}

function zoneCell({ zone_table, zones }: Places, name: string): Zone {
  return cell(zones, name, () => createZone(name, zone_table(name)))
}
