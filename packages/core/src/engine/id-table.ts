import { createIdColumn, grow, type IdColumn, packWord, prefixOf, writeId } from './id-column.ts'

/**
 * Numbers ids 0, 1, 2 … and finds the number of an id, in about 8 bytes an id beside the id itself. A number is also
 * the place of the id's record: its four words, and behind them what the owner of the table keeps there.
 *
 * The records of a large table lie far apart, each on a page of memory of its own, and those that are asked for again
 * and again do not stay in the caches of the processor as well as they would side by side. So there are copies of them
 * behind the records, `near` each other. A copy has a number too, and can be read but not written.
 */
export interface IdTable {
  count: number
  ids: IdColumn
  /**
   * Open addressing, at most two thirds full. A slot holds number + 1, so that 0 is free, and above it some bits
   * of the hash: another id in the way is told from them, without a look at the id itself.
   */
  slots: Uint32Array
  strange: Map<string, number>
  /** The number of the first copy. */
  near: number
  /**
   * For each copy the upper half of the hash that last came to its place. An id gets a copy when it is asked for twice
   * without another one in between: those asked for once cost no more than a look at this.
   */
  last_hashes: Uint16Array
}

/** 67 million ids. */
const numberBits = 26
const numberMask = 2 ** numberBits - 1
/** The first word of no id. */
const noWord = 2 ** 32 - 1

export function createIdTable(prefixes: readonly string[], capacity: number, stride = 4): IdTable {
  const copies = copyCount(capacity)
  const ids = createIdColumn(prefixes, capacity + copies, stride)
  ids.words.fill(noWord, capacity * stride)
  return {
    count: 0,
    ids,
    slots: new Uint32Array(slotCount(capacity)),
    strange: new Map(),
    near: capacity,
    last_hashes: new Uint16Array(copies),
  }
}

/** The number of an id or of a copy of its record, whichever is read faster; -1 when it has none. */
export function findRecord(table: IdTable, id: string): number {
  return find(table, id, true)
}

/** The number of an id, -1 when it has none. */
export function findNumber(table: IdTable, id: string): number {
  return find(table, id, false)
}

/** To be called after a record was written: its copy is no longer one. */
export function dropCopy(table: IdTable, number: number): void {
  const copies = table.last_hashes.length
  if (copies === 0 || table.ids.strange.has(number)) return
  const copy = table.near + (hashAt(table.ids, number) & (copies - 1))
  table.ids.words[copy * table.ids.stride] = noWord
}

function find(table: IdTable, id: string, mayBeCopy: boolean): number {
  const { ids } = table
  const prefix = prefixOf(ids, id)
  const word0 = packWord(id, prefix, 0)
  const word1 = packWord(id, prefix, 1)
  const word2 = packWord(id, prefix, 2)
  const word3 = packWord(id, prefix, 3)
  if ((prefix | word0 | word1 | word2 | word3) < 0) return table.strange.get(id) ?? -1
  const hash = hashWords(word0, word1, word2, word3)
  const copy = mayBeCopy ? nearNumber(table, hash) : -1
  if (copy >= 0 && holdsWords(ids, copy, word0, word1, word2, word3)) return copy
  const number = search(table, hash, word0, word1, word2, word3)
  return copy < 0 || number < 0 ? number : copyRecord(table, number, copy)
}

function search(
  { ids, slots }: IdTable,
  hash: number,
  word0: number,
  word1: number,
  word2: number,
  word3: number,
): number {
  const mask = slots.length - 1
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const value = slots[slot] as number
    const number = (value & numberMask) - 1
    if (number < 0) return -1
    if (value >>> numberBits === hash >>> numberBits && holdsWords(ids, number, word0, word1, word2, word3))
      return number
  }
}

/** Where the copy of an id of this hash is, or may now be put; -1 when it was not the last one asked for there. */
function nearNumber({ last_hashes, near }: IdTable, hash: number): number {
  if (last_hashes.length === 0) return -1
  const place = hash & (last_hashes.length - 1)
  if (last_hashes[place] === hash >>> 16) return near + place
  last_hashes[place] = hash >>> 16
  return -1
}

function copyRecord({ ids }: IdTable, number: number, copy: number): number {
  ids.words.copyWithin(copy * ids.stride, number * ids.stride, (number + 1) * ids.stride)
  return copy
}

/** The number of an id; a new one when it has none. */
export function numberOf(table: IdTable, id: string): number {
  const found = findNumber(table, id)
  return found >= 0 ? found : addId(table, id)
}

function addId(table: IdTable, id: string): number {
  const number = table.count++
  if (number >= table.near) moveCopies(table)
  if (!writeId(table.ids, number, id)) table.strange.set(id, number)
  else if (table.count * 1.5 > table.slots.length) rebuildSlots(table)
  else takeSlot(table, number)
  return number
}

/** Makes room for more records before the copies, and begins with new ones. */
function moveCopies(table: IdTable): void {
  const { ids, near } = table
  const { stride } = ids
  table.last_hashes = new Uint16Array(copyCount(table.count))
  ids.words = grow(ids.words, (table.count + table.last_hashes.length) * stride)
  table.near = Math.floor(ids.words.length / stride) - table.last_hashes.length
  ids.words.fill(0, near * stride).fill(noWord, table.near * stride)
}

function rebuildSlots(table: IdTable): void {
  table.slots = new Uint32Array(slotCount(table.count))
  for (let number = 0; number < table.count; number++)
    if (!table.ids.strange.has(number)) takeSlot(table, number)
}

function takeSlot({ ids, slots }: IdTable, number: number): void {
  const mask = slots.length - 1
  const hash = hashAt(ids, number)
  let slot = hash & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  slots[slot] = (hash & ~numberMask) | (number + 1)
}

function hashAt({ stride, words }: IdColumn, number: number): number {
  const place = number * stride
  const [first, second] = [words[place] as number, words[place + 1] as number]
  return hashWords(first, second, words[place + 2] as number, words[place + 3] as number)
}

function holdsWords(
  ids: IdColumn,
  number: number,
  word0: number,
  word1: number,
  word2: number,
  word3: number,
) {
  const { words } = ids
  const place = number * ids.stride
  return (
    words[place + 3] === word3 &&
    words[place + 2] === word2 &&
    words[place + 1] === word1 &&
    words[place] === word0
  )
}

/** The last two words are random; the first two count for ids that were made by hand. */
function hashWords(word0: number, word1: number, word2: number, word3: number): number {
  const mixed = word3 ^ Math.imul(word2, 0x85ebca6b) ^ Math.imul(word1 + word0, 0xc2b2ae35)
  const hash = Math.imul(mixed, 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

/** A sixteenth of a large table; a small one stays in the cache as it is. */
function copyCount(capacity: number): number {
  return capacity < 2 ** 15 ? 0 : 2 ** Math.round(Math.log2(capacity / 16))
}

function slotCount(capacity: number): number {
  let count = 8
  while (count < capacity * 1.5) count *= 2
  return count
}
