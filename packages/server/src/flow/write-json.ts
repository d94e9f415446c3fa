import type { Steps } from '@gatehouse-access/core'
import { isRecord } from './record.ts'
import { inSlices } from './slices.ts'

/** Values written in one step, which takes well below a millisecond. A long text counts as several. */
const valuesAStep = 4000
const charactersAValue = 100

/** Serializes like `JSON.stringify`. Large values are serialized in slices, taking turns with others. */
export function jsonOf(organization_id: string, value: unknown): string | Promise<string> {
  return isSmall(value) ? (JSON.stringify(value) ?? 'null') : inSlices(organization_id, writeJson(value))
}

/** Serializes in steps, because a response may hold thousands of objects with hundreds of rules each. */
export function* writeJson(value: unknown): Steps<string> {
  const parts: string[] = []
  yield* write(value, parts)
  return parts.join('')
}

function* write(value: unknown, parts: string[]): Steps<void> {
  if (isSmall(value)) parts.push(JSON.stringify(value) ?? 'null')
  else if (Array.isArray(value)) yield* writeList(value, parts)
  else if (isRecord(value)) yield* writeObject(value, parts)
  else parts.push(JSON.stringify(value))
  yield
}

/** Writes as many entries per step as are small together. */
function* writeList(list: readonly unknown[], parts: string[]): Steps<void> {
  let start = 0
  parts.push('[')
  while (start < list.length) {
    const end = endOfStep(list, start)
    if (start > 0) parts.push(',')
    if (end > start) parts.push(JSON.stringify(list.slice(start, end)).slice(1, -1))
    else yield* write(list[start], parts)
    start = Math.max(end, start + 1)
    yield
  }
  parts.push(']')
}

function endOfStep(list: readonly unknown[], start: number): number {
  let left = valuesAStep
  for (let index = start; index < list.length; index++) {
    left = countDown(list[index], left)
    if (left < 0) return index
  }
  return list.length
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

function isSmall(value: unknown): boolean {
  return countDown(value, valuesAStep) >= 0
}

/** Returns `left` minus the number of values inside `value`. Stops counting below zero. */
function countDown(value: unknown, left: number): number {
  if (typeof value === 'string') return left - 1 - Math.floor(value.length / charactersAValue)
  if (typeof value !== 'object' || value === null) return left - 1
  let rest = left - 1
  if (Array.isArray(value))
    for (let index = 0; index < value.length && rest >= 0; index++) rest = countDown(value[index], rest)
  else
    for (const name in value) {
      rest = countDown((value as Record<string, unknown>)[name], rest)
      if (rest < 0) break
    }
  return rest
}
