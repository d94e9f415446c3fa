import fc from 'fast-check'
import { expect, test } from 'vitest'
import { within } from '../../testkit/src/soak.ts'
import {
  decide,
  decideSteps,
  explain,
  finish,
  type Policy,
  type Question,
  toMicroseconds,
} from '../src/index.ts'
import { type Attempt, anyAttempt, anyWorld, compileWorld, type World } from './arbitrary-policy.ts'
import { boundaryInstants } from './boundaries.ts'
import { judge } from './oracle.ts'
import { findNextAllowed } from './oracle-next.ts'

const seeds = Number(process.env.GATEHOUSE_SEEDS ?? 100)
/** Searching ahead is the slowest part of the oracle, so it does not run from every boundary of a seed. */
const looksAhead = 6

test('engine and oracle agree at every boundary', within(60), () => {
  fc.assert(
    fc.property(anyWorld, anyAttempt, fc.infiniteStream(fc.nat()), (world, attempt, choices) => {
      const policy = compileWorld(world)
      const instants = boundaryInstants(world, attempt)
      agreeOnReasons(world, policy, attempt, instants)
      for (const choice of choices.take(looksAhead))
        agreeOnNext(world, policy, attempt, instants[choice % instants.length] as string)
    }),
    { numRuns: seeds },
  )
})

function agreeOnReasons({ rows }: World, policy: Policy, attempt: Attempt, instants: string[]): void {
  const { who, ...rest } = attempt
  const expected = instants.map(at => [at, judge(rows, { ...who, ...rest, at })])
  const questions = instants.map(at => ({ ...who, ...rest, at: toMicroseconds(at) }))
  const inSteps = (question: Question) => finish(decideSteps(policy, question))
  for (const answer of [decide.bind(null, policy), inSteps, explain.bind(null, policy)])
    expect(questions.map((question, index) => [instants[index], answer(question).reason])).toEqual(expected)
}

function agreeOnNext({ rows }: World, policy: Policy, attempt: Attempt, at: string): void {
  const { who, ...rest } = attempt
  const { next_allowed_at } = explain(policy, { ...who, ...rest, at: toMicroseconds(at) })
  expect([at, next_allowed_at]).toEqual([at, findNextAllowed(rows, { ...who, ...rest, at })])
}
