import type { Activity } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { findBrand } from '../../mail/brand.ts'
import { languageOf, type Voice, voiceOf } from '../../texts/language.ts'
import { localeOf } from '../../texts/locale.ts'
import { sendLetter } from '../mail/letters.ts'
import type { Context } from '../objects/context.ts'
import { countActivity } from './activity.ts'
import { lastWeek, nextReport } from './weeks.ts'

/** Seconds that a report which is being sent stays claimed, and after which a failed one is tried again. */
const held = 900
/** After that many, the next report is that of the next week. */
const mostAttempts = 6
/** Doors that the mail names. */
const mostDoors = 5

/** The zone data as a function of its own. */
function offsetsOf({ zones }: Pick<Context, 'zones'>) {
  return (zone: string, at: string) => zones.offsetAt(zone, at)
}

type Needs = Pick<Context, 'db' | 'clock' | 'zones' | 'reader' | 'mailer' | 'config' | 'log'>

export interface Wish {
  readonly is_on: boolean
  /** When the next one is sent. Null if none is. */
  readonly next_at: string | null
}

interface Place {
  readonly organization_id: string
  readonly user_id: string
}

export async function findWish(db: Database, { organization_id, user_id }: Place): Promise<Wish> {
  const [row] = await db.query<{ due_at: string }>(
    'SELECT due_at FROM weekly_reports WHERE organization_id = $1 AND user_id = $2',
    [organization_id, user_id],
  )
  return { is_on: row !== undefined, next_at: row?.due_at ?? null }
}

/** `zone`: whose weeks they are. */
export async function wishWeekly(
  context: Pick<Needs, 'db' | 'clock' | 'zones'>,
  { organization_id, user_id }: Place,
  zone: string,
): Promise<void> {
  const due_at = nextReport(context.clock.now(), zone, offsetsOf(context))
  await context.db.query(
    `INSERT INTO weekly_reports (organization_id, user_id, zone, due_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, user_id) DO UPDATE SET zone = EXCLUDED.zone, due_at = EXCLUDED.due_at, attempts = 0`,
    [organization_id, user_id, zone, due_at],
  )
}

export async function endWeekly(db: Database, { organization_id, user_id }: Place): Promise<void> {
  await db.query('DELETE FROM weekly_reports WHERE organization_id = $1 AND user_id = $2', [
    organization_id,
    user_id,
  ])
}

interface Due extends Place {
  readonly zone: string
  readonly attempts: number
}

/**
 * Sends the reports that are due, one after the other. Claiming one moves its due time before it is sent, so that no two
 * processes send it, and another one tries again if this one dies.
 */
export async function sendWeeklyReports(context: Needs): Promise<void> {
  for (let due = await claim(context); due; due = await claim(context)) await deliver(context, due)
}

async function claim({ db, clock }: Needs): Promise<Due | undefined> {
  const now = clock.now()
  const [due] = await db.query<Due>(
    `UPDATE weekly_reports SET attempts = attempts + 1, due_at = $2
     WHERE (organization_id, user_id) = (SELECT organization_id, user_id FROM weekly_reports WHERE due_at <= $1
       ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING organization_id, user_id, zone, attempts`,
    [now, addSeconds(now, held)],
  )
  return due
}

async function deliver(context: Needs, due: Due): Promise<void> {
  try {
    await send(context, due)
  } catch (error) {
    const { organization_id, user_id, attempts } = due
    context.log.error({ err: error, organization_id, user_id, attempts }, 'a weekly report was not sent')
    if (attempts < mostAttempts) return
  }
  await context.db.query(
    'UPDATE weekly_reports SET attempts = 0, due_at = $3 WHERE organization_id = $1 AND user_id = $2',
    [due.organization_id, due.user_id, nextReport(context.clock.now(), due.zone, offsetsOf(context))],
  )
}

/** Sends nothing to who may no longer see it: front desks and installers, and users of a deleted organization. */
async function send(context: Needs, { organization_id, user_id, zone }: Due): Promise<void> {
  const [reader] = await context.db.query<{ email: string; language: string | null }>(
    `SELECT u.email, coalesce(u.notification_settings->>'language', u.language) AS language
     FROM organization_users m JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.duty IS NULL AND NOT o.is_deleted`,
    [organization_id, user_id],
  )
  if (!reader) return
  const week = lastWeek(context.clock.now(), zone, offsetsOf(context))
  const report = await context.reader.read(db => countActivity(db, { organization_id, ...week }))
  const brand = await findBrand(context.db, organization_id)
  const voice = voiceOf(languageOf(reader.language))
  const gaps = { organization: brand.name, ...gapsOf(report, voice, zone) }
  const url = `${context.config.public_url}/o/${organization_id}/reports?when=${week.from}/${week.until}`
  await sendLetter(context, voice, reader.email, 'weekly', { ...gaps, url }, brand)
}

function gapsOf(report: Activity, voice: Voice, zone: string): Record<string, string> {
  const day = new Intl.DateTimeFormat(localeOf(voice.language), { dateStyle: 'long', timeZone: zone })
  const number = new Intl.NumberFormat(localeOf(voice.language))
  const lastDay = new Date(Date.parse(report.until) - 1)
  const doorLine = ({ name, uses, denials }: Activity['by_gadget'][number]) =>
    voice.say('mail_weekly_door', {
      door: name ?? '–',
      uses: number.format(uses),
      denials: number.format(denials),
    })
  const doors = report.by_gadget.slice(0, mostDoors).map(doorLine)
  return {
    from: day.format(new Date(report.from)),
    until: day.format(lastDay),
    uses: number.format(report.uses),
    denials: number.format(report.denials),
    members: number.format(report.member_count),
    gadgets: number.format(report.gadget_count),
    doors: doors.length > 0 ? doors.join('\n') : voice.say('mail_weekly_quiet'),
  }
}
