import {
  compilePolicy,
  decide,
  explain,
  type Policy,
  type PolicyRows,
  type Question,
  toMicroseconds,
  whoMayUse,
} from '../../packages/core/src/index.ts'
import { measure } from './measure.ts'
import { drawQuestions, issueSize, makeOrganization } from './organization.ts'

const factor = 100

/** The same organization among 99 others of its size, under one roof: its own questions touch the same rules. */
export function measureScale(): void {
  const rows = makeOrganization(issueSize)
  const large = enlarge(rows)
  const questions = drawQuestions(rows, 50_000)
  const policy = compilePolicy(rows)
  const largePolicy = compilePolicy(large)
  const time = nanoseconds(policy, questions)
  const report = (label: string, other: number) =>
    console.log(
      `${label.padEnd(44)} ${other.toFixed(0)} ns, ${(other / time).toFixed(2)} x of ${time.toFixed(0)} ns`,
    )
  console.log(
    `rules tried: ${countRules(policy, questions)} and at ${factor} x ${countRules(largePolicy, questions)}`,
  )
  report(`${factor} x, 10,000 members created together`, nanoseconds(largePolicy, questions))
  report(
    `${factor} x, 10,000 members spread evenly`,
    nanoseconds(largePolicy, drawQuestions(large, 50_000, 10_000)),
  )
  report(`${factor} x, uniformly random members`, nanoseconds(largePolicy, drawQuestions(large, 200_000)))
}

export function measureCompile(): void {
  const rows = makeOrganization({ ...issueSize, members: 100_000 })
  compilePolicy(rows)
  const before = memoryUsed()
  const begin = performance.now()
  const policy = compilePolicy(rows)
  const took = performance.now() - begin
  const bytes = (memoryUsed() - before) / 100_000
  console.log(`compile 100,000 members: ${took.toFixed(0)} ms, ${bytes.toFixed(0)} bytes a member`)
  measureFirstPage(policy, rows)
}

function measureFirstPage(policy: Policy, rows: PolicyRows): void {
  const gadget_id = rows.gadgets[0]?.id ?? ''
  const at = toMicroseconds('2026-11-16T12:00:00.000000Z')
  const perSecond = measure(
    [0],
    () => whoMayUse(policy, { gadget_id, action_id: 'open', at }).take(100).toArray().length > 0,
  )
  console.log(`first page of whoMayUse at 100,000 members: ${(1e6 / perSecond).toFixed(0)} µs`)
}

function nanoseconds(policy: Policy, questions: Question[]): number {
  return 1e9 / measure(questions, question => decide(policy, question).allowed, 3000)
}

function countRules(policy: Policy, questions: Question[]): number {
  return questions.reduce((count, question) => count + explain(policy, question).rules.length, 0)
}

function enlarge(rows: PolicyRows): PolicyRows {
  const others = Array.from({ length: factor - 1 }, (_, index) => makeOrganization(issueSize, 1000 + index))
  const kinds = Object.keys(rows) as (keyof PolicyRows)[]
  return Object.fromEntries(
    kinds.map(kind => [
      kind,
      [rows, ...others].flatMap<{ id: string }>(part => part[kind]).sort((a, b) => (a.id < b.id ? -1 : 1)),
    ]),
  ) as unknown as PolicyRows
}

/** Needs `node --expose-gc`; without it the figure is too high. */
function memoryUsed(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
