import { cell } from './cells.ts'
import type { DoorCell } from './doors/door-cell.ts'
import { compareStrings } from './id-column.ts'
import { createIdTable, findNumber, type IdTable, numberOf } from './id-table.ts'
import { deviceNumber, type Places, type Site, siteCell } from './places.ts'
import type { GadgetRow } from './policy-rows.ts'
import { type Target, targetBits, targetOfTag } from './targets.ts'

/** Like a site, a gadget is a fixed cell: a change writes into it, and rules keep their references. */
export interface Gadget {
  id: string
  number: number
  site: Site
  actions: readonly string[]
  /** Null for a gadget that is no door. */
  door: DoorCell | null
  tags: readonly Tag[]
  /** The bits of the targets of its tags, see `Groups`. */
  tag_bits: number
}

/** Shared by all rules and gadgets that name it. */
export interface Tag {
  id: string
  target: Target
}

const noTags: readonly Tag[] = []

/** Every cell is made here, so that all have one shape. */
export function createGadget(id: string, number: number, site: Site): Gadget {
  return { id, number, site, actions: [], door: null, tags: noTags, tag_bits: 0 }
}

/**
 * Gadgets by number. Everything that a decision reads about a gadget fits in 32 bytes: its id in four words,
 * the numbers of its site, its device and its action list, and whether it is living.
 */
export interface Gadgets {
  ids: IdTable
  cells: Gadget[]
  /** Gadgets share action lists. There are few distinct lists, so they stay in the CPU cache. */
  action_lists: (readonly string[])[]
  action_list_numbers: Map<string, number>
  tags: Map<string, Tag>
  /** All gadgets in id order, computed on demand. */
  sorted: Gadget[]
}

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
  return { ids, cells: [], action_lists: [], action_list_numbers: new Map(), tags: new Map(), sorted: [] }
}

export function putGadget({ gadgets, places }: Located, row: GadgetRow): void {
  const gadget = gadgetCell({ gadgets, places }, row.id)
  const list = actionListNumber(
    gadgets,
    row.actions.map(action => action.id),
  )
  gadget.site = siteCell(places, row.site_id)
  gadget.actions = gadgets.action_lists[list] as readonly string[]
  gadget.tags = row.tag_ids?.length ? row.tag_ids.map(id => tagCell(gadgets, id)) : noTags
  gadget.tag_bits = gadget.tags.reduce((bits, { target }) => bits | targetBits(target), 0)
  const device = deviceNumber(places, row.device_id)
  const living = row.is_deleted ? 0 : 1
  gadgets.ids.ids.words.set([gadget.site.number, device, list, living], gadget.number * stride + sitePlace)
}

/** Returns the cell of an id. A gadget that is only referenced so far is not living, so it grants nothing. */
export function gadgetCell({ gadgets, places }: Located, id: string): Gadget {
  const number = numberOf(gadgets.ids, id)
  if (number === gadgets.cells.length) gadgets.cells.push(createGadget(id, number, siteCell(places, '')))
  return gadgets.cells[number] as Gadget
}

export function tagCell({ tags }: Gadgets, id: string): Tag {
  return cell(tags, id, () => ({ id, target: targetOfTag(tags.size) }))
}

export function livingGadget(located: Located, id: string): Gadget | undefined {
  return located.gadgets.cells[findLivingGadget(located, id)]
}

/** Returns the number of a living gadget on a living device in a living site; -1 when there is none. */
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

/** Returns the number of the device that a gadget belongs to. */
export function deviceOf({ ids }: Gadgets, gadget: Gadget): number {
  return ids.ids.words[gadget.number * stride + devicePlace] as number
}

export function hasAction({ action_lists, ids }: Gadgets, gadget: number, action: string): boolean {
  const list = action_lists[ids.ids.words[gadget * stride + actionsPlace] as number]
  return list?.includes(action) === true
}

export function isOnDevice({ gadgets, places }: Located, { number }: Gadget, device_id: string): boolean {
  const device = places.devices.get(device_id)
  return device !== undefined && gadgets.ids.ids.words[number * stride + devicePlace] === device
}

/** Returns all gadgets in id order. Gadgets are never removed, so the count shows if the list is complete. */
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
