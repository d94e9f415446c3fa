import type { Steps } from '@gatehouse/core'

const entriesAStep = 32

/** What `JSON.stringify` writes, in steps: an answer may hold thousands of objects with hundreds of rules each. */
export function* writeJson(value: unknown): Steps<string> {
  const parts: string[] = []
  yield* write(value, parts)
  return parts.join('')
}

function* write(value: unknown, parts: string[]): Steps<void> {
  if (isLight(value)) parts.push(JSON.stringify(value) ?? 'null')
  else if (Array.isArray(value)) yield* writeList(value, parts)
  else yield* writeObject(value as object, parts)
}

function* writeList(list: readonly unknown[], parts: string[]): Steps<void> {
  for (let start = 0; start < list.length; start += entriesAStep) {
    const some = list.slice(start, start + entriesAStep)
    parts.push(start === 0 ? '[' : ',')
    if (some.every(isLight)) parts.push(JSON.stringify(some).slice(1, -1))
    else
      for (const [index, entry] of some.entries()) {
        if (index > 0) parts.push(',')
        yield* write(entry, parts)
      }
    yield
  }
  parts.push(list.length === 0 ? '[]' : ']')
}

function* writeObject(object: object, parts: string[]): Steps<void> {
  let before = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    parts.push(before, JSON.stringify(name), ':')
    before = ','
    yield* write(value, parts)
  }
  parts.push(before === '{' ? '{}' : '}')
}

/** Few values, and none of them large: written faster than looked through. */
function isLight(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const values = Array.isArray(value) ? value : Object.values(value)
  return values.length <= entriesAStep && values.every(isFlat)
}

/** One level down, a small list or object of plain values: tags, metadata, methods. */
function isFlat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const values = Array.isArray(value) ? value : Object.values(value)
  return values.length <= entriesAStep && values.every(inner => typeof inner !== 'object' || inner === null)
}
