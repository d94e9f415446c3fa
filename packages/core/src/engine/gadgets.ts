import { compareStrings } from './id-column.ts'
import { createIdTable, dropCopy, findRecord, type IdTable, numberOf } from './id-table.ts'
import { deviceNumber, type Places, type Site, siteCell } from './places.ts'
import type { GadgetRow } from './policy-rows.ts'

/** Like a site, a gadget is a fixed cell: a change writes into it, and rules keep pointing to it. */
export interface Gadget {
  id: string
  number: number
  site: Site
  actions: readonly string[]
}

/**
 * Gadgets by number. What every decision asks of a gadget lies in 32 bytes: its id in four words, the numbers of its
 * site, its device and its list of actions, and its own number + 1, or 0 when it does not live. The cell is only read for what some rules ask.
 */
export interface Gadgets {
  ids: IdTable
  cells: Gadget[]
  /** Gadgets share their lists of actions: there are few different ones, which then stay in the cache. */
  action_lists: (readonly string[])[]
  action_list_numbers: Map<string, number>
  /** All gadgets by id, made when asked for. */
  sorted: Gadget[]
}

/** Gadgets, and the places they are in. */
export interface Located {
  gadgets: Gadgets
  places: Places
}

const stride = 8
const sitePlace = 4
const devicePlace = 5
const actionsPlace = 6
const livingPlace = 7

export function createGadgets(capacity: number): Gadgets {
  const ids = createIdTable(['gad_'], capacity, stride)
  return { ids, cells: [], action_lists: [], action_list_numbers: new Map(), sorted: [] }
}

export function putGadget({ gadgets, places }: Located, row: GadgetRow): void {
  const gadget = gadgetCell({ gadgets, places }, row.id)
  const list = actionListNumber(
    gadgets,
    row.actions.map(action => action.id),
  )
  gadget.site = siteCell(places, row.site_id)
  gadget.actions = gadgets.action_lists[list] as readonly string[]
  const device = deviceNumber(places, row.device_id)
  const living = row.is_deleted ? 0 : gadget.number + 1
  gadgets.ids.ids.words.set([gadget.site.number, device, list, living], gadget.number * stride + sitePlace)
  dropCopy(gadgets.ids, gadget.number)
}

/** The cell of an id. One that is only named so far does not live, so it grants nothing. */
export function gadgetCell({ gadgets, places }: Located, id: string): Gadget {
  const number = numberOf(gadgets.ids, id)
  if (number === gadgets.cells.length)
    gadgets.cells.push({ id, number, site: siteCell(places, ''), actions: [] })
  return gadgets.cells[number] as Gadget
}

export function livingGadget(located: Located, id: string): Gadget | undefined {
  const record = findLivingGadget(located, id)
  return record < 0 ? undefined : located.gadgets.cells[gadgetOfRecord(located.gadgets, record)]
}

/** The record of a gadget that lives, on a device and in a site that live; -1 when there is none. */
export function findLivingGadget({ gadgets, places }: Located, id: string): number {
  const record = findRecord(gadgets.ids, id)
  if (record < 0) return -1
  const { words } = gadgets.ids.ids
  const place = record * stride
  const lives =
    words[place + livingPlace] !== 0 &&
    places.device_lives[words[place + devicePlace] as number] === 1 &&
    places.site_lives[words[place + sitePlace] as number] === 1
  return lives ? record : -1
}

/** The number of the gadget whose record it is, a living one. */
export function gadgetOfRecord({ ids }: Gadgets, record: number): number {
  return (ids.ids.words[record * stride + livingPlace] as number) - 1
}

export function siteOfRecord({ ids }: Gadgets, record: number): number {
  return ids.ids.words[record * stride + sitePlace] as number
}

export function hasAction({ action_lists, ids }: Gadgets, record: number, action: string): boolean {
  const list = action_lists[ids.ids.words[record * stride + actionsPlace] as number]
  return list?.includes(action) === true
}

/** All gadgets in the order of their ids. A gadget is never taken out, so their number tells whether it is complete. */
export function gadgetsInOrder(gadgets: Gadgets): readonly Gadget[] {
  if (gadgets.sorted.length !== gadgets.cells.length)
    gadgets.sorted = gadgets.cells.toSorted((a, b) => compareStrings(a.id, b.id))
  return gadgets.sorted
}

function actionListNumber(
  { action_list_numbers, action_lists }: Gadgets,
  actions: readonly string[],
): number {
  const key = actions.join()
  const known = action_list_numbers.get(key)
  if (known !== undefined) return known
  action_list_numbers.set(key, action_lists.length)
  return action_lists.push(actions) - 1
}
