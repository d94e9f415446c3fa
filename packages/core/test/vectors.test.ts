import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  decide,
  type Explanation,
  explain,
  type Policy,
  type PolicyRows,
  type Question,
  toMicroseconds,
  type ZoneTable,
} from '../src/index.ts'
import { compileWorld } from './arbitrary-policy.ts'
import type { OracleQuestion } from './oracle.ts'
import { judgeAtDoor } from './oracle-doors.ts'
import { findNextAllowed } from './oracle-next.ts'
import { isSoak } from './runs.ts'

/**
 * Golden vectors. The expectations were written by hand, so they can catch an error that the engine and the
 * oracle share.
 */
interface VectorFile {
  about: string
  policy: PolicyRows
  /** Tables by zone. */
  zones?: Record<string, ZoneTable>
  /** The instant near which the oracle looks at doors. */
  anchor?: string
  cases: { name: string; question: OracleQuestion; expect: Omit<Explanation, 'rules'> }[]
}

const folder = new URL('../vectors/', import.meta.url)
const files = readdirSync(folder).map(
  name => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as VectorFile,
)

test('there are at least 300', () => {
  expect(files.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(300)
})

describe.each(files)('$about', ({ policy: given, zones = {}, anchor, cases }) => {
  const rows = { ...given, zones }
  const policy = compileWorld({ rows })
  test.each(cases)('$name', ({ question, expect: expected }) => {
    const asked = { ...question, at: toMicroseconds(question.at) }
    const { rules: _, ...explained } = explain(policy, asked)
    expect(explained).toEqual(expected)
    expect(decide(policy, asked)).toEqual({ allowed: expected.allowed, reason: expected.reason })
    expect(judgeAtDoor(rows, anchor ?? question.at, question)).toBe(expected.reason)
    if (expected.door) agreeOnNext(policy, asked, expected.next_allowed_at)
    // The oracle searches slowly. In `npm test` it is compared with the engine, and the engine is compared here.
    else if (isSoak) expect(findNextAllowed(rows, question)).toBe(expected.next_allowed_at)
  })
})

/** The oracle looks no further than some days, so the engine itself says what is true then and before. */
function agreeOnNext(policy: Policy, asked: Question, next: string | null): void {
  if (next === null || toMicroseconds(next) === asked.at) return
  expect(decide(policy, { ...asked, at: toMicroseconds(next) }).allowed).toBe(true)
  expect(decide(policy, { ...asked, at: toMicroseconds(next) - 1 }).allowed).toBe(false)
}
