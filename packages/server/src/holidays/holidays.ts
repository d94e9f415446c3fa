import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type HolidayKind, RequestError } from '@gatehouse-access/api'
import { Semaphore } from '../flow/semaphore.ts'
import { addDays } from '../ics/dates.ts'
import type { FoundDay } from '../ics/read-days.ts'
import { regionsOf } from './places.ts'

/** Holidays of a country, or of a region of it. */
export interface TablePlace {
  readonly country: string
  readonly region: string | null
  readonly kinds: readonly HolidayKind[]
  readonly years: readonly number[]
}

/** A holiday of a year. Fewer than one whole day: a part of its date only. */
export interface TabledDay {
  readonly year: number
  readonly date: string
  readonly days: number
  readonly name: string
  readonly rule: string
}

/** Milliseconds. The slowest tables take a second for ten years. */
const longest = 20_000

/** Bytes. The days of ten years of the largest table take a tenth of it. */
const longestAnswer = 4 * 1024 * 1024

/** Each takes about 100 MB while it runs. */
const programs = new Semaphore(2, { most_waiting: 200, what: 'tables of holidays' })
const program = fileURLToPath(new URL('./holiday-tables.ts', import.meta.url))

/**
 * Asks the tables. Loading them takes 200 ms and some years 100 ms each, so a process does it that ends with its
 * answer: a thread would leave 30 MB behind in this one.
 */
function askTables(place: TablePlace): Promise<TabledDay[]> {
  return programs.run(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(place)], {
      cwd: '/',
      env: {},
      timeout: longest,
      killSignal: 'SIGKILL',
      maxBuffer: longestAnswer,
    }).catch(refuse)
    return JSON.parse(stdout)
  })
}

/** A machine may be too busy or have too little memory for it. A program that ends by itself has a defect. */
function refuse(cause: Error & { code?: unknown }): never {
  if (typeof cause.code === 'number') throw cause
  throw new RequestError('unavailable', 'the tables of holidays do not answer; try again in a minute', {
    headers: { 'retry-after': '60' },
    cause,
  })
}

/** Returns what is wrong with a place; undefined if there is a table of it. */
export function findPlaceProblem(
  country: string,
  region: string | null,
): { part: 'country' | 'region'; message: string } | undefined {
  const regions = regionsOf(country)
  if (!regions) return { part: 'country', message: `there is no table of holidays for ${country}` }
  if (region === null || regions.some(name => name.toUpperCase() === region)) return undefined
  const has = regions.length === 0 ? 'it has none' : `it has: ${regions.join(', ')}`
  return { part: 'region', message: `there is no region ${region} in ${country}; ${has}` }
}

export async function readTable(place: TablePlace): Promise<FoundDay[]> {
  const days = await askTables(place)
  const counts = Map.groupBy(days, day => uidOf(place, day))
  const found = days.map(day =>
    foundDay(day, counts.get(uidOf(place, day))?.length === 1 ? uidOf(place, day) : null),
  )
  return [...new Map(found.map(day => [`${day.starts_on} ${day.name}`, day])).values()]
}

/** What is shorter than a day is a half day: schedules decide what that means to them. */
function foundDay({ date, days, name }: TabledDay, uid: string | null): FoundDay {
  return {
    uid,
    name: [...name].slice(0, 255).join(''),
    kind: days < 1 ? 'half_day' : 'holiday',
    starts_on: date,
    ends_on: days > 1 ? addDays(date, days - 1) : null,
    recurrence: 'none',
    is_public: true,
  }
}

/** A holiday keeps its name from year to year, so the year belongs to it. */
function uidOf(place: Pick<TablePlace, 'country' | 'region'>, { year, rule }: TabledDay): string {
  return `${tableUid(place, year)} ${rule.slice(0, 150)}`
}

export function tableUid({ country, region }: Pick<TablePlace, 'country' | 'region'>, year: number): string {
  return `table ${country}${region === null ? '' : `-${region}`} ${year}`
}
