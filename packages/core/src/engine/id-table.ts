import { createIdColumn, type IdColumn, packWord, prefixOf, writeId } from './id-column.ts'

/**
 * Assigns numbers 0, 1, 2 … to ids and finds the number of an id, with about 8 bytes of overhead per id. The
 * number is also the index of the id's record: its four words, followed by the words of the table's owner.
 */
export interface IdTable {
  count: number
  ids: IdColumn
  /**
   * Open addressing, at most two thirds full. A slot holds number + 1, so that 0 means free. The bits above
   * hold part of the hash, so that most collisions are detected without reading the id.
   */
  slots: Uint32Array
  strange: Map<string, number>
}

/** Allows 67 million ids. */
const numberBits = 26
const numberMask = 2 ** numberBits - 1

export function createIdTable(prefixes: readonly string[], capacity: number, stride = 4): IdTable {
  return {
    count: 0,
    ids: createIdColumn(prefixes, capacity, stride),
    slots: new Uint32Array(slotCount(capacity)),
    strange: new Map(),
  }
}

/** Returns the number of an id; -1 when it has none. */
export function findNumber(table: IdTable, id: string): number {
  const { ids } = table
  const prefix = prefixOf(ids, id)
  const word0 = packWord(id, prefix, 0)
  const word1 = packWord(id, prefix, 1)
  const word2 = packWord(id, prefix, 2)
  const word3 = packWord(id, prefix, 3)
  if ((prefix | word0 | word1 | word2 | word3) < 0) return table.strange.get(id) ?? -1
  return search(table, hashWords(word0, word1, word2, word3), word0, word1, word2, word3)
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

/** Returns the number of an id. Assigns a new number when it has none. */
export function numberOf(table: IdTable, id: string): number {
  const found = findNumber(table, id)
  return found >= 0 ? found : addId(table, id)
}

function addId(table: IdTable, id: string): number {
  const number = table.count++
  if (!writeId(table.ids, number, id)) table.strange.set(id, number)
  else if (table.count * 1.5 > table.slots.length) rebuildSlots(table)
  else takeSlot(table, number)
  return number
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

/** The last two words are random. The first two are mixed in for ids that were written by hand. */
function hashWords(word0: number, word1: number, word2: number, word3: number): number {
  const mixed = word3 ^ Math.imul(word2, 0x85ebca6b) ^ Math.imul(word1 + word0, 0xc2b2ae35)
  const hash = Math.imul(mixed, 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

function slotCount(capacity: number): number {
  let count = 8
  while (count < capacity * 1.5) count *= 2
  return count
}
