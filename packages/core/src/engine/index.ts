/**
 * The permission engine: decides who may use which gadget action, when and how, and explains why.
 *
 * State. A `Policy` is one organization, compiled from its rows. Places, schedules and groups are cells that
 * reference each other; members, associations and credentials are columns of numbers. Everything else is a
 * cache that can be discarded (zone offsets, merged calendars, times of days, sorted orders, inheritance depths).
 *
 * Invariants.
 * - Compiling applies every row once. Applying the newest row of each object with `applyChange`, in any order
 *   and any number of times, gives the same answers as compiling the newest rows.
 * - A cell that was referenced but never written, or written as deleted, grants nothing. A zone that neither
 *   a table nor the runtime knows has no local time, so its schedules are never open. In doubt, access is denied.
 * - Inside its span a zone's table rules, and the runtime is not asked. A local date is that of the wall clock
 *   by the offset in force; nothing else of a zone is asked.
 * - The times of a date are those of the exception that covers it, else of the first of the schedule's kinds
 *   that a calendar of the site has on it, else of its weekday. All questions go through `rulingOn`.
 * - Beyond the last date that a controller knows, a schedule that reacts to kinds is closed, except on
 *   exceptions and on yearly days of its first kind.
 * - An attempt gets as far as its best path from an association to a rule; a path gets as far as its weakest
 *   rule. `decide` and `explain` agree, and `next_allowed_at` is the first instant at or after `at` at which
 *   `decide` allows access.
 * - A gadget with `door` has a mode (see ../modes): one that holds it open lets every known member pass, a
 *   lockdown or an absent supervisor asks for a group beside permission, and exits are never asked for it.
 * - A suspension comes after the dates of the member and before its groups. It refuses no exit, and while a
 *   door is held open it refuses nobody. That of a device concerns what is presented at its inputs.
 * - Instants are whole microseconds. Validity and ranges include their start and exclude their end.
 *
 * Cost. A decision looks up two ids, walks the member's associations and checks only the rules whose target
 * covers the gadget, whatever the size of the organization: one word tells that a group has no such rule
 * (`Groups.filters`). It takes the local time of a site from a cached span of constant offset, and a schedule
 * from a sorted list of seconds of the week. Each inherited group is checked once. A change costs as much as
 * its own object; a change to a group's inheritance also costs one pass over all inheritance, when it is next
 * needed. Work whose size an organization controls runs in steps (`Steps`) and can be paused between them.
 * A schedule without special days or exceptions costs one comparison more than before there were any; with
 * them, a site remembers the times of the last days asked for (`TimesMemo`). Calendars are merged per kind when
 * they are first needed after a change, one calendar at a time, and shared by their sites. The search for the
 * next time walks week by week between special days and combines each of those only when it gets there.
 * Weeks with very many ranges are bitmaps (`DenseWeek`), and a list of a member's doors explains each class
 * of door once (`classOf`).
 */
export type { Question } from './attempt.ts'
export type { ClosedBy } from './closed-by.ts'
export { calendarDayOf } from './days/calendars.ts'
export { dateOfDay, dayOfDate, isDate } from './days/dates.ts'
export { covers } from './days/day-ids.ts'
export type { CalendarDay } from './days/day-index.ts'
export type { ScheduleDay } from './days/schedule-day.ts'
export { decide } from './decide.ts'
export { decideSteps } from './decide-steps.ts'
export { type DecidedBy, type DecidedDay, type DecidedRule, decidedBy } from './decided-by.ts'
export { greatCircleDistance } from './distance.ts'
export {
  arrivalsBy,
  type DoorNow,
  type DoorUse,
  departuresBy,
  modeOfDoor,
  modeOfDoorSteps,
  modesOfDoor,
  modeUnderOverride,
  overridesOver,
  rememberedSince,
} from './doors/ask-door.ts'
export { rememberedFrom } from './doors/remembered-from.ts'
export { type ExplainedDoor, type Explanation, explain, explainSteps, type TriedRule } from './explain.ts'
export type { Access } from './granted-methods.ts'
export { isBeyondHorizon } from './horizon.ts'
export { weekdaysText } from './hours-text.ts'
export { type LocalMoments, openZone } from './local-times.ts'
export { fromMicroseconds, toMicroseconds } from './microseconds.ts'
export {
  askOpenTimes,
  type DayOfSite,
  type OpenTime,
  openTimes,
  type ScheduleTimes,
  type SiteTimes,
} from './open-times.ts'
export {
  applyChange,
  applySteps,
  compilePolicy,
  createPolicy,
  type Policy,
  type PolicyKind,
  type PolicyOptions,
  type PolicyRow,
  type PolicySize,
  policyKinds,
  settleSteps,
  setZoneTable,
} from './policy.ts'
export * from './policy-rows.ts'
export { type PreviewDay, previewDays, previewSteps } from './preview-days.ts'
export { type Decision, type Reason, reasons } from './reasons.ts'
export { type RuleTerms, termsOfRow } from './rule-terms.ts'
export {
  mostStandingRules,
  type StandingRule,
  whatEverMayUse,
  whatEverMayUseSteps,
  whoEverMayUse,
  whoEverMayUseSteps,
} from './standing-access.ts'
export { finish, type ListSteps, type Steps } from './steps.ts'
export { type UsedKind, type Uses, type UsesQuery, usesOf, usesSteps } from './uses.ts'
export { type Way, type WaysToUse, waysToUse, waysToUseSteps } from './ways-to-use.ts'
export { type GadgetAccess, type WhatQuery, whatMayUse, whatMayUseSteps } from './what-may-use.ts'
export { type MemberAccess, type WhoQuery, whoMayUse, whoMayUseSteps } from './who-may-use.ts'
