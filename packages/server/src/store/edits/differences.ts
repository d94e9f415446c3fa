import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../flow/record.ts'

/** A place at which two values differ. The path is empty for the values themselves. */
export interface Difference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** Entries of a list, and what they hold: `1.schedule_id`. What is deeper is told as a whole. */
const deepest = 2

/** Returns where two JSON values differ, as deep as somebody would say it, and at most so many places. */
export function findDifferences(before: unknown, after: unknown, most: number): Difference[] {
  const found: Difference[] = []
  for (const difference of differences(before, after, '', deepest)) {
    found.push(difference)
    if (found.length >= most) break
  }
  return found
}

function* differences(
  before: unknown,
  after: unknown,
  path: string,
  depth: number,
): Generator<Difference, void, undefined> {
  if (isDeepStrictEqual(before ?? null, after ?? null)) return
  const isDeeper = depth > 0
  if (isDeeper && isList(before) && isList(after)) yield* entries(before, after, path, depth - 1)
  else if (isDeeper && isRecord(before) && isRecord(after))
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* differences(before[key], after[key], join(path, key), depth - 1)
  else yield { path, before: before ?? null, after: after ?? null }
}

/** What both lists begin and end with is the same: a rule that was taken out of the middle is one difference. */
function* entries(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  depth: number,
): Generator<Difference, void, undefined> {
  let start = 0
  let [end, last] = [before.length, after.length]
  while (start < end && start < last && isDeepStrictEqual(before[start], after[start])) start++
  while (end > start && last > start && isDeepStrictEqual(before[end - 1], after[last - 1])) {
    end--
    last--
  }
  for (let index = start; index < Math.max(end, last); index++)
    yield* differences(
      index < end ? before[index] : null,
      index < last ? after[index] : null,
      join(path, String(index)),
      depth,
    )
}

function isList(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.every(isRecord)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
