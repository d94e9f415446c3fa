import { compareStrings } from './id-column.ts'
import { createIdTable, findNumber, type IdTable, numberOf } from './id-table.ts'
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
 * site, its device and its list of actions, and whether it lives.
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
  const living = row.is_deleted ? 0 : 1
  gadgets.ids.ids.words.set([gadget.site.number, device, list, living], gadget.number * stride + sitePlace)
}

/** The cell of an id. One that is only named so far does not live, so it grants nothing. */
export function gadgetCell({ gadgets, places }: Located, id: string): Gadget {
  const number = numberOf(gadgets.ids, id)
  if (number === gadgets.cells.length)
    gadgets.cells.push({ id, number, site: siteCell(places, ''), actions: [] })
  return gadgets.cells[number] as Gadget
}

export function livingGadget(located: Located, id: string): Gadget | undefined {
  return located.gadgets.cells[findLivingGadget(located, id)]
}

/** The number of a gadget that lives, on a device and in a site that live; -1 when there is none. */
export function findLivingGadget({ gadgets, places }: Located, id: string): number {
  const number = findNumber(gadgets.ids, id)
  if (number < 0) return -1
  const { words } = gadgets.ids.ids
  const place = number * stride
  const lives =
    words[place + livingPlace] !== 0 &&
    places.device_lives[words[place + devicePlace] as number] === 1 &&
    places.site_lives[words[place + sitePlace] as number] === 1
  return lives ? number : -1
}

export function hasAction({ action_lists, ids }: Gadgets, gadget: number, action: string): boolean {
  const list = action_lists[ids.ids.words[gadget * stride + actionsPlace] as number]
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
