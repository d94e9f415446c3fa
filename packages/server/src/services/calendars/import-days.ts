import { type ImportBody, type ImportedDays, invalid, largestIcs, resources } from '@gatehouse-access/api'
import { inSlices } from '../../flow/slices.ts'
import { findPlaceProblem, readTable, tableUid } from '../../holidays/holidays.ts'
import { NotACalendar } from '../../ics/content-lines.ts'
import { eventUid } from '../../ics/event-texts.ts'
import { type FoundDay, type FoundDays, readDays, TooManyDays } from '../../ics/read-days.ts'
import { exceeded } from '../../store/counts/quotas.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'
import { applyPlan } from './apply-plan.ts'
import { type HeldDay, readHeldDays } from './held-days.ts'
import { type DayPlan, planDays } from './plan-days.ts'

interface Found extends Pick<FoundDays, 'days' | 'skipped'> {
  /** Whether the file has taken back a day of an earlier import. */
  readonly isTakenBack: (uid: string) => boolean
}

/** `POST /calendars/{id}/days/import`. What somebody has set by hand, such as the kind, stays. */
export async function importDays({
  work,
  target,
  query,
  readBody,
}: InputOf<'calendar_day', 'import'>): Promise<ImportedDays> {
  const id = target.reach.parent?.id ?? ''
  const holder = { resource: resources.calendar, reach: { ...target.reach, parent: undefined } }
  await getObject(work, holder, id)
  const found = await findDays(work, readBody())
  return work.db.transaction(async db => {
    const inner = { ...work, db, now: work.now }
    const calendar = await getObject(inner, holder, id, query.dry_run !== true)
    if (calendar.is_deleted) throw invalid('calendar_id', 'the calendar is deleted; restore it first')
    const held = await readHeldDays(db, work.caller.organization_id, id)
    const plan = planImport(held, found)
    if (query.dry_run) return answer(plan, undefined, found)
    return answer(plan, await applyPlan(inner, id, plan, { held, is_managed: false }), found)
  })
}

async function findDays(work: Work, body: ImportBody): Promise<Found> {
  if ((body.ics === undefined) === (body.country === undefined))
    throw invalid('ics', 'give exactly one of ics and country')
  if (body.country === undefined) return readFile(work, body)
  if (!body.years) throw invalid('years', 'years is required with country')
  const { country, region = null, kinds = ['public'], years } = body
  const problem = findPlaceProblem(country, region)
  if (problem) throw invalid(problem.part, `${problem.part}: ${problem.message}`)
  const owned = years.map(year => `${tableUid({ country, region }, year)} `)
  return {
    days: await readTable({ country, region, kinds, years }),
    skipped: [],
    isTakenBack: uid => owned.some(start => uid.startsWith(start)),
  }
}

async function readFile(work: Work, { ics = '', region, kinds, years }: ImportBody): Promise<Found> {
  const other = Object.entries({ region, kinds, years }).find(([, value]) => value !== undefined)
  if (other) throw invalid(other[0], `${other[0]} belongs to country, and must be absent with ics`)
  const bytes = Buffer.byteLength(ics)
  if (bytes > largestIcs) throw invalid('ics', `ics has ${bytes} bytes; at most ${largestIcs} are allowed`)
  const most = work.context.quotas.most('calendar.calendar_day')
  try {
    const { days, skipped, named } = await inSlices(work.caller.organization_id, readDays(ics, most))
    return { days, skipped, isTakenBack: uid => named.has(eventUid(uid)) }
  } catch (error) {
    if (error instanceof NotACalendar)
      throw invalid('ics', `ics must be a calendar file, but ${error.message}`)
    if (error instanceof TooManyDays) throw exceeded('calendar.calendar_day', most)
    throw error
  }
}

const taken = ['uid', 'name', 'starts_on', 'ends_on', 'recurrence'] as const

/** Days of the calendar's source are not touched, and not doubled. */
function planImport(held: readonly HeldDay[], { days, isTakenBack }: Found): DayPlan {
  const managed = new Set(held.filter(day => day.is_managed).map(keyOf))
  return planDays(
    held.filter(day => !day.is_managed),
    days.filter(day => !managed.has(keyOf(day))),
    { isOwned: ({ uid }) => uid !== null && isTakenBack(uid), taken },
  )
}

function keyOf({ starts_on, name }: Pick<FoundDay, 'starts_on' | 'name'>): string {
  return `${starts_on} ${name ?? ''}`
}

function answer(plan: DayPlan, created: readonly HeldDay[] | undefined, { skipped }: Found): ImportedDays {
  return {
    create: created
      ? created.map(describe)
      : plan.create.map(day => ({ calendar_day_id: null, ...partsOf(day) })),
    update: plan.update.map(describe),
    delete: plan.delete.map(describe),
    skipped: [...skipped],
  }
}

function describe(day: HeldDay) {
  return { calendar_day_id: day.id, ...partsOf(day) }
}

function partsOf({ name, kind, starts_on, ends_on, recurrence }: FoundDay | HeldDay) {
  return { name, kind, starts_on, ends_on, recurrence }
}
