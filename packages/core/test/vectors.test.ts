import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  decide,
  type Explanation,
  explain,
  type PolicyRows,
  toMicroseconds,
  type ZoneTable,
} from '../src/index.ts'
import { compileWorld } from './arbitrary-policy.ts'
import { judge, type OracleQuestion } from './oracle.ts'
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
  cases: { name: string; question: OracleQuestion; expect: Omit<Explanation, 'rules'> }[]
}

const folder = new URL('../vectors/', import.meta.url)
const files = readdirSync(folder).map(
  name => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as VectorFile,
)

test('there are at least 300', () => {
  expect(files.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(300)
})

describe.each(files)('$about', ({ policy: given, zones = {}, cases }) => {
  const rows = { ...given, zones }
  const policy = compileWorld({ rows })
  test.each(cases)('$name', ({ question, expect: expected }) => {
    const asked = { ...question, at: toMicroseconds(question.at) }
    const { rules: _, ...explained } = explain(policy, asked)
    expect(explained).toEqual(expected)
    expect(decide(policy, asked)).toEqual({ allowed: expected.allowed, reason: expected.reason })
    expect(judge(rows, question)).toBe(expected.reason)
    // The oracle searches slowly. In `npm test` it is compared with the engine, and the engine is compared here.
    if (isSoak) expect(findNextAllowed(rows, question)).toBe(expected.next_allowed_at)
  })
})
