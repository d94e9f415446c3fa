import { compareIds, grow, readId } from './id-column.ts'
import { createIdTable, findNumber, type IdTable, numberOf } from './id-table.ts'
import type { MemberRow } from './policy-rows.ts'
import { isBounded, type Windows, writeWindow } from './windows.ts'

/**
 * Members by number, in columns: they are what an organization has many of, and as objects they would take
 * three times the memory and a cache miss for every field.
 */
export interface Members {
  ids: IdTable
  /** Per member: its state in the lower bits, above them its first association as a link. */
  heads: Uint32Array
  windows: Windows
  /** Whether the numbers run in the order of the ids, as they do for rows loaded in that order. */
  is_in_order: boolean
  /** Otherwise the numbers in the order of the ids, made when asked for; empty when stale. */
  order: Uint32Array
}

/** `unknown`: named by an association or a credential, itself not (yet) there. */
export const memberStates = { unknown: 0, living: 1, deleted: 2 } as const
const stateMask = 3
/** Set when a member has a start or an end. Most have none, and their windows need not be read. */
export const boundedBit = 4
const headBits = 3

export function createMembers(capacity: number): Members {
  return {
    ids: createIdTable(['mem_'], capacity),
    heads: new Uint32Array(capacity),
    windows: new Float64Array(capacity * 2),
    is_in_order: true,
    order: new Uint32Array(),
  }
}

export function putMember(members: Members, row: MemberRow): void {
  const number = numberMember(members, row.id)
  const state = row.is_deleted ? memberStates.deleted : memberStates.living
  const bounded = isBounded(row) ? boundedBit : 0
  members.heads[number] = (firstLink(members, number) << headBits) | bounded | state
  members.windows = writeWindow(members.windows, number, row)
}

export function findMember(members: Members, id: string): number {
  return findNumber(members.ids, id)
}

/** The number of a member, also of one that is only named so far. */
export function numberMember(members: Members, id: string): number {
  const { ids } = members
  const known = ids.count
  const number = numberOf(ids, id)
  if (number === known) admit(members, number)
  return number
}

export function memberId(members: Members, number: number): string {
  return readId(members.ids.ids, number)
}

export function stateOf(head: number): number {
  return head & stateMask
}

export function firstLink({ heads }: Members, number: number): number {
  return (heads[number] as number) >>> headBits
}

export function setFirstLink({ heads }: Members, number: number, link: number): void {
  heads[number] = (link << headBits) | ((heads[number] as number) & (boundedBit | stateMask))
}

/** Places are the order of ids: the first whose id comes after `id`. */
export function placeAfter(members: Members, id: string): number {
  if (!members.is_in_order && members.order.length !== members.ids.count) members.order = sortNumbers(members)
  let low = 0
  let high = members.ids.count
  while (low < high) {
    const middle = (low + high) >> 1
    if (memberId(members, numberAt(members, middle)) <= id) low = middle + 1
    else high = middle
  }
  return low
}

export function numberAt(members: Members, place: number): number {
  return members.is_in_order ? place : (members.order[place] as number)
}

function admit(members: Members, number: number): void {
  if (members.heads.length <= number) members.heads = grow(members.heads, number + 1)
  if (number > 0 && compareIds(members.ids.ids, number - 1, number) > 0) members.is_in_order = false
}

/** Nearly sorted already: late ids are few, and a merge sort is then linear. */
function sortNumbers({ ids }: Members): Uint32Array {
  const numbers = Array.from({ length: ids.count }, (_, number) => number)
  return Uint32Array.from(numbers.sort((a, b) => compareIds(ids.ids, a, b)))
}
