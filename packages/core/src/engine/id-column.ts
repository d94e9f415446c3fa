import { crockfordDigits } from '../ids.ts'

/**
 * Ids by number. The 20 characters after the prefix are 100 bits. As four words of 25 bits they take 16
 * bytes, where a string takes 40, and they sort like the strings. An id of another form is stored as a
 * string.
 */
export interface IdColumn {
  prefixes: readonly string[]
  words: Uint32Array
  /** Words per entry. The words after the first four belong to the owner of the column. */
  stride: number
  strange: Map<number, string>
}

const suffixLength = 20
const wordLength = 5
const wordBits = 25
const digitOfCode = new Int8Array(128).fill(-1)
for (let digit = 0; digit < 32; digit++) digitOfCode[crockfordDigits.charCodeAt(digit)] = digit

export function createIdColumn(prefixes: readonly string[], capacity: number, stride = 4): IdColumn {
  return { prefixes, words: new Uint32Array(capacity * stride), stride, strange: new Map() }
}

export function readId(column: IdColumn, number: number): string {
  const strange = column.strange.get(number)
  if (strange !== undefined) return strange
  const [word0, word1, word2, word3] = wordsAt(column, number)
  const prefix = column.prefixes[word0 >>> wordBits]
  return `${prefix}${unpackWord(word0)}${unpackWord(word1)}${unpackWord(word2)}${unpackWord(word3)}`
}

/** Returns false when the id has another form and is stored as a string. */
export function writeId(column: IdColumn, number: number, id: string): boolean {
  const { stride } = column
  if (column.words.length < (number + 1) * stride) column.words = grow(column.words, (number + 1) * stride)
  column.strange.delete(number)
  const prefix = prefixOf(column, id)
  for (let place = 0; place < 4; place++) {
    const word = prefix < 0 ? -1 : packWord(id, prefix, place)
    if (word < 0) column.strange.set(number, id)
    column.words[number * stride + place] = word
  }
  return !column.strange.has(number)
}

/** Returns the index of the id's prefix in the column; negative for an id of another form. */
export function prefixOf({ prefixes }: IdColumn, id: string): number {
  for (let index = 0; index < prefixes.length; index++) {
    const prefix = prefixes[index] as string
    if (id.length === prefix.length + suffixLength && beginsWith(id, prefix)) return index
  }
  return -1
}

/**
 * Returns one of the four words of an id. The first word has the prefix in its high bits. Negative for an id
 * of another form.
 */
export function packWord(id: string, prefix: number, place: number): number {
  const word = packDigits(id, id.length - suffixLength + place * wordLength)
  return place === 0 ? word | (prefix << wordBits) : word
}

/** Compares the ids of two numbers in string order: negative, zero or positive. */
export function compareIds(column: IdColumn, a: number, b: number): number {
  if (column.strange.size > 0 || column.prefixes.length > 1)
    return compareStrings(readId(column, a), readId(column, b))
  const { stride, words } = column
  for (let place = 0; place < 4; place++) {
    const difference = (words[a * stride + place] as number) - (words[b * stride + place] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** Compares the id of a number with another id. */
export function compareWithId(column: IdColumn, number: number, id: string): number {
  const prefix = prefixOf(column, id)
  if (prefix < 0 || column.strange.size > 0 || column.prefixes.length > 1)
    return compareStrings(readId(column, number), id)
  for (let place = 0; place < 4; place++) {
    const word = packWord(id, prefix, place)
    if (word < 0) return compareStrings(readId(column, number), id)
    const difference = (column.words[number * column.stride + place] as number) - word
    if (difference !== 0) return difference
  }
  return 0
}

export function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Grows by a quarter: compiling requests the exact size, but later changes arrive one by one. */
export function grow<Column extends Uint8Array | Uint32Array | Float64Array>(
  column: Column,
  length: number,
): Column {
  const grown = new (column.constructor as new (length: number) => Column)(roundUp(length * 1.25))
  grown.set(column)
  return grown
}

/** Rounds up to a multiple of 16, so that other typed views of the same buffer have whole elements. */
function roundUp(length: number): number {
  return (Math.ceil(length / 16) + 1) * 16
}

function wordsAt({ stride, words }: IdColumn, number: number): [number, number, number, number] {
  const place = number * stride
  const [first, second] = [words[place] as number, words[place + 1] as number]
  return [first, second, words[place + 2] as number, words[place + 3] as number]
}

/** Negative when any character is not in `crockfordDigits`. */
function packDigits(id: string, start: number): number {
  const high = (digitAt(id, start) << 20) | (digitAt(id, start + 1) << 15) | (digitAt(id, start + 2) << 10)
  return high | (digitAt(id, start + 3) << 5) | digitAt(id, start + 4)
}

function digitAt(id: string, index: number): number {
  const code = id.charCodeAt(index)
  return code < 128 ? (digitOfCode[code] as number) : -1
}

/** For four characters, much faster than a call to `startsWith`. */
function beginsWith(id: string, prefix: string): boolean {
  for (let index = 0; index < prefix.length; index++)
    if (id.charCodeAt(index) !== prefix.charCodeAt(index)) return false
  return true
}

function unpackWord(word: number): string {
  return String.fromCharCode(
    codeAt(word >>> 20),
    codeAt(word >>> 15),
    codeAt(word >>> 10),
    codeAt(word >>> 5),
    codeAt(word),
  )
}

function codeAt(bits: number): number {
  return crockfordDigits.charCodeAt(bits & 31)
}
