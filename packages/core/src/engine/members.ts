import { compareIds, readId } from './id-column.ts'
import { createIdTable, findNumber, type IdTable, numberOf } from './id-table.ts'
import type { MemberRow } from './policy-rows.ts'
import { endOf, isBounded, startOf } from './validity.ts'

/**
 * Members by number. An organization has many members: as objects they would take several times the memory
 * and cause a cache miss per field. Here, everything that a decision reads about a member fits in 40 bytes:
 * its id in four words, its head, and its start and end as doubles (in a second view of the same buffer).
 */
export interface Members {
  ids: IdTable
  /** The buffer of the ids, viewed as doubles. */
  doubles: Float64Array
  /** Whether the numbers are in id order, which holds when rows are loaded in id order. */
  is_in_order: boolean
  /** Otherwise, the numbers in id order, computed on demand; empty or incomplete when stale. */
  order: Uint32Array
}

const stride = 10
/** The head holds the member's state, `boundedBit` and, above them, the link to its first association. */
const headPlace = 4
const doubleStride = 5
const startPlace = 3
const endPlace = 4

/** `unknown`: referenced by an association or a credential, but not (yet) written itself. */
export const memberStates = { unknown: 0, living: 1, deleted: 2 } as const
const stateMask = 3
/** Set when a member has a start or an end. Most members have neither, so their windows need not be read. */
export const boundedBit = 4
const headBits = 3

export function createMembers(capacity: number): Members {
  const ids = createIdTable(['mem_'], capacity, stride)
  return { ids, doubles: new Float64Array(ids.ids.words.buffer), is_in_order: true, order: new Uint32Array() }
}

export function putMember(members: Members, row: MemberRow): void {
  const number = numberMember(members, row.id)
  const state = row.is_deleted ? memberStates.deleted : memberStates.living
  const bounded = isBounded(row) ? boundedBit : 0
  setHead(members, number, (firstLink(members, number) << headBits) | bounded | state)
  members.doubles[number * doubleStride + startPlace] = startOf(row)
  members.doubles[number * doubleStride + endPlace] = endOf(row)
}

export function headOf(members: Members, number: number): number {
  return members.ids.ids.words[number * stride + headPlace] as number
}

export function memberStart({ doubles }: Members, number: number): number {
  return doubles[number * doubleStride + startPlace] as number
}

export function memberEnd({ doubles }: Members, number: number): number {
  return doubles[number * doubleStride + endPlace] as number
}

/** Returns the number of a member; -1 when there is none. */
export function findMember(members: Members, id: string): number {
  return findNumber(members.ids, id)
}

/** Returns the number of a member. Assigns one to a member that is only referenced so far. */
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

export function firstLink(members: Members, number: number): number {
  return headOf(members, number) >>> headBits
}

export function setFirstLink(members: Members, number: number, link: number): void {
  setHead(members, number, (link << headBits) | (headOf(members, number) & (boundedBit | stateMask)))
}

/** Returns the position, in id order, of the first member whose id comes after `id`. */
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

function setHead(members: Members, number: number, head: number): void {
  members.ids.ids.words[number * stride + headPlace] = head
}

function admit(members: Members, number: number): void {
  const { ids } = members.ids
  if (members.doubles.buffer !== ids.words.buffer) members.doubles = new Float64Array(ids.words.buffer)
  if (number > 0 && compareIds(ids, number - 1, number) > 0) members.is_in_order = false
}

/** The input is nearly sorted, because late ids are few. A merge sort is then linear. */
function sortNumbers({ ids }: Members): Uint32Array {
  const numbers = Array.from({ length: ids.count }, (_, number) => number)
  return Uint32Array.from(numbers.sort((a, b) => compareIds(ids.ids, a, b)))
}
