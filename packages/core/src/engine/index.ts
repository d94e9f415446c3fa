/**
 * The permission engine: decides who may use which gadget action, when and how, and says why.
 *
 * State. A `Policy` is one organization, compiled from its rows: places, schedules and groups as cells that
 * point to each other, members, associations and credentials as columns of numbers. The rest are caches that can be
 * discarded (stretches of zones, sorted orders, depths of inheritance).
 *
 * Invariants.
 * - Compiling is applying every row once; `applyChange` with the newest row of an object, in any order and
 *   any number of times, leads to the same answers as compiling the newest rows.
 * - A cell that was named but never written, or written as deleted, grants nothing. A zone that the runtime does not
 *   know has no local time, so that schedules there are never open. In doubt, access is denied.
 * - An attempt comes as far as its furthest path from an association to a rule; a path comes as far as the
 *   weakest rule on it. `decide` and `explain` agree, and `next_allowed_at` is the first instant from `at` on
 *   at which `decide` says yes.
 * - Instants are whole microseconds; validity and ranges include their start and exclude their end.
 *
 * Cost. A decision looks up two ids, walks the member's associations and checks only those rules whose target covers the
 * gadget, whatever the size of the organization: one word of memory tells that a group has none (`Groups.filters`). It
 * reads the clock of a site from a cached stretch of constant offset and a schedule from a sorted list of week seconds. An
 * inherited group is checked once. A change costs its own object; a change to a group's inheritance also costs a pass over
 * all inheritance when it is next needed. Work that an organization can make large is done in steps (`Steps`), to be paused
 * in between. Weeks with very many ranges are bits (`DenseWeek`), and a list of a member's doors explains each kind of door
 * once (`classOf`).
 */
export type { Question } from './attempt.ts'
export { decide } from './decide.ts'
export { decideSteps } from './decide-steps.ts'
export { greatCircleDistance } from './distance.ts'
export { type Explanation, explain, explainSteps, type TriedRule } from './explain.ts'
export type { Access } from './granted-methods.ts'
export { fromMicroseconds, toMicroseconds } from './microseconds.ts'
export { type OpenTime, openTimes } from './open-times.ts'
export {
  applyChange,
  applySteps,
  compilePolicy,
  createPolicy,
  type Policy,
  type PolicyKind,
  type PolicyRow,
  type PolicySize,
  policyKinds,
  settleSteps,
} from './policy.ts'
export * from './policy-rows.ts'
export { type Decision, type Reason, reasons } from './reasons.ts'
export { finish, type ListSteps, type Steps } from './steps.ts'
export { type Way, type WaysToUse, waysToUse, waysToUseSteps } from './ways-to-use.ts'
export { type GadgetAccess, type WhatQuery, whatMayUse, whatMayUseSteps } from './what-may-use.ts'
export { type MemberAccess, type WhoQuery, whoMayUse, whoMayUseSteps } from './who-may-use.ts'
