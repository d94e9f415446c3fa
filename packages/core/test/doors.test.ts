import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AccessMethod,
  accessMethods,
  decide,
  decideSteps,
  explain,
  finish,
  type Policy,
  toMicroseconds,
  waysToUse,
  whatMayUse,
  whoMayUse,
} from '../src/index.ts'
import { anyDoorWorld } from './arbitrary-modes.ts'
import { type Attempt, anyAttempt, compileWorld, here, idOf, type World } from './arbitrary-policy.ts'
import { boundaryInstants } from './boundaries.ts'
import { judgeAtDoor, looseDoor } from './oracle-doors.ts'

const numRuns = Number(process.env.GATEHOUSE_SEEDS ?? 8)
const timeout = 36_000_000
const threeDays = 3 * 86_400_000_000

/** The instants near the anchor at which an answer can change, in order. */
function instantsOf(world: World, attempt: Attempt): string[] {
  const { anchor, rows } = world
  const isDoor = rows.gadgets.some(({ door, id }) => door && id === attempt.gadget_id)
  const events = isDoor ? timesOf(looseDoor(rows, attempt.gadget_id)) : []
  return [...new Set([...boundaryInstants(world, attempt), ...events])]
    .filter(at => Math.abs(toMicroseconds(at) - toMicroseconds(anchor)) < threeDays)
    .sort()
}

/** Every timestamp in a door's rows. */
function timesOf(door: unknown): string[] {
  return JSON.stringify(door).match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? []
}

test('engine and oracle agree on who passes a door', { timeout }, () => {
  fc.assert(
    fc.property(anyDoorWorld, anyAttempt, (world, { who, ...rest }) => {
      const policy = compileWorld(world)
      for (const at of instantsOf(world, { who, ...rest })) {
        const expected = [at, judgeAtDoor(world.rows, world.anchor, { ...who, ...rest, at })]
        const question = { ...who, ...rest, at: toMicroseconds(at) }
        expect([at, decide(policy, question).reason]).toEqual(expected)
        expect([at, finish(decideSteps(policy, question)).reason]).toEqual(expected)
      }
    }),
    { numRuns },
  )
})

test('an answer does not depend on what was asked before', { timeout }, () => {
  const anyOrder = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(anyDoorWorld, anyAttempt, anyOrder, (world, { who, ...rest }, order) => {
      const [policy, other] = [compileWorld(world), compileWorld(world)]
      const instants = instantsOf(world, { who, ...rest })
      for (const [door, instant] of order) {
        const gadget_id = world.rows.gadgets[door % world.rows.gadgets.length]?.id as string
        const at = toMicroseconds(instants[instant % instants.length] as string)
        const question = { ...who, ...rest, gadget_id, at }
        expect(decide(policy, question)).toEqual(finish(decideSteps(other, question)))
      }
    }),
    { numRuns },
  )
})

test('next_allowed_at is the first instant at which the door lets the member pass', { timeout }, () => {
  fc.assert(
    fc.property(anyDoorWorld, anyAttempt, fc.nat(), (world, { who, ...rest }, choice) => {
      const policy = compileWorld(world)
      const instants = instantsOf(world, { who, ...rest })
      const asked = instants[choice % instants.length] as string
      const { next_allowed_at: next, reason } = explain(policy, ask(who, rest, asked))
      const judged = (at: string) => judgeAtDoor(world.rows, world.anchor, { ...who, ...rest, at })
      expect(reason).toBe(judged(asked))
      for (const at of instants.filter(at => at >= asked && at < (next ?? '9999')))
        expect([asked, at, judged(at)]).not.toEqual([asked, at, null])
      if (next !== null) expect(decide(policy, ask(who, rest, next)).allowed).toBe(true)
    }),
    { numRuns },
  )
})

function ask(who: Attempt['who'], rest: Omit<Attempt, 'who'>, at: string) {
  return { ...who, ...rest, at: toMicroseconds(at) }
}

const places = [0, 1, 2, 3].flatMap(number =>
  ['open', 'close'].map(action_id => ({ gadget_id: idOf('gad', number), action_id })),
)

test('lists of who may use a door, and of what a member may use, are as of the mode', { timeout }, () => {
  fc.assert(
    fc.property(anyDoorWorld, fc.constantFrom(...places), fc.nat(3), (world, place, number) => {
      const policy = compileWorld(world)
      const at = toMicroseconds(world.anchor)
      const ids = [0, 1, 2, 3].map(each => idOf('mem', each)).sort()
      const who = ids.flatMap(member_id => entry(world, { member_id, ...place }))
      expect([...whoMayUse(policy, { ...place, at })].map(row => ({ ...place, ...row }))).toEqual(who)
      const member_id = idOf('mem', number)
      const what = places.flatMap(each => entry(world, { member_id, ...each }))
      expect([...whatMayUse(policy, { member_id, at })].map(row => ({ member_id, ...row }))).toEqual(what)
      agreeOnWays(policy, member_id, at)
    }),
    { numRuns },
  )
})

function entry(
  { anchor: at, rows }: World,
  asked: { member_id: string; gadget_id: string; action_id: string },
) {
  const allows = (access_method: AccessMethod, location: typeof here | null) =>
    judgeAtDoor(rows, at, { ...asked, access_method, at, location }) === null
  const access_methods = accessMethods.filter(method => allows(method, here))
  if (access_methods.length === 0) return []
  const requires_location = access_methods.includes('online') && !allows('online', null)
  return [{ ...asked, access_methods, requires_location }]
}

/** A way says what an explanation says, also of a door that is locked down without an end. */
function agreeOnWays(policy: Policy, member_id: string, at: number): void {
  for (const { ways, ...place } of waysToUse(policy, { member_id, at }))
    for (const { access_method, is_allowed, next_allowed_at, reason } of ways.filter(isOffline)) {
      const told = explain(policy, { member_id, ...place, at, access_method })
      expect({ is_allowed, next_allowed_at, reason }).toEqual({
        is_allowed: told.allowed,
        next_allowed_at: told.next_allowed_at,
        reason: told.reason,
      })
    }
}

function isOffline({ access_method }: { access_method: AccessMethod }): boolean {
  return access_method !== 'online'
}
