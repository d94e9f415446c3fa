import {
  compilePolicy,
  decide,
  explain,
  type Policy,
  type PolicyRows,
  type Question,
} from '../../packages/core/src/index.ts'
import { createdInTurn, createdTogether, drawQuestions, issueSize, makeOrganization } from './organization.ts'
import { type Contest, compareRounds } from './rounds.ts'

const factor = 100
const questionCount = 50_000

/**
 * Measures an organization together with 99 others of its size in one policy. The working set is its 10,000
 * members, asked about repeatedly, with its groups and gadgets; the questions and the rules they touch are
 * the same. Only the memory layout differs: created together, the objects are adjacent; spread, they are
 * every hundredth member, group and gadget. Beyond the working set, there are 10,000 members who together are
 * in half of all groups and ask for gadgets everywhere, and members drawn uniformly from the million, with
 * other questions in every round.
 */
export function measureScale(): void {
  const alone = makeOrganization(issueSize)
  const questions = drawQuestions(alone, questionCount)
  const policy = compilePolicy(alone)
  const together = compilePolicy(enlarge(index => createdTogether(index === 0 ? 1 : 1000 + index)))
  const spreadRows = enlarge(index => createdInTurn(index, factor))
  const spread = compilePolicy(spreadRows)
  const spreadQuestions = drawQuestions(
    makeOrganization(issueSize, 1, createdInTurn(0, factor)),
    questionCount,
  )
  const everywhere = drawQuestions(spreadRows, questionCount, 10_000)
  const uniform = [11, 12, 13, 14, 15, 16].map(seed =>
    drawQuestions(spreadRows, questionCount, undefined, seed),
  )
  const counts = [
    countRules(policy, questions),
    countRules(together, questions),
    countRules(spread, spreadQuestions),
  ]
  console.log(`rules tried alone, together and spread: ${counts.join(', ')}`)
  report([
    contest('the organization alone', policy, [questions]),
    contest(`${factor} x, 10,000 members created together`, together, [questions]),
    contest(`${factor} x, 10,000 members spread evenly`, spread, [spreadQuestions]),
    contest(`${factor} x, 10,000 members in all groups`, spread, [everywhere]),
    contest(`${factor} x, uniformly random members`, spread, uniform),
  ])
}

function contest(label: string, policy: Policy, sets: Question[][]): Contest {
  return { label, sets, answer: question => decide(policy, question).allowed }
}

function report(contests: Contest[]): void {
  globalThis.gc?.()
  const times = compareRounds(contests, 25)
  for (const [index, { label }] of contests.entries()) {
    const [time, base] = [times[index] as number, times[0] as number]
    console.log(`${label.padEnd(44)} ${time.toFixed(0)} ns, ${(time / base).toFixed(2)} x`)
  }
}

function countRules(policy: Policy, questions: Question[]): number {
  return questions.reduce((count, question) => count + explain(policy, question).rules.length, 0)
}

function enlarge(timesOf: (index: number) => (index: number) => number): PolicyRows {
  const parts = Array.from({ length: factor }, (_, index) =>
    makeOrganization(issueSize, index === 0 ? 1 : 1000 + index, timesOf(index)),
  )
  const kinds = Object.keys(parts[0] as PolicyRows) as (keyof PolicyRows)[]
  return Object.fromEntries(
    kinds.map(kind => [
      kind,
      parts.flatMap<{ id: string }>(part => part[kind] ?? []).sort((a, b) => (a.id < b.id ? -1 : 1)),
    ]),
  ) as unknown as PolicyRows
}
