import { addSeconds } from '@gatehouse-access/core'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import { messageOf } from '../flow/failures.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { InstanceAlarm } from './instance-alarm.ts'
import type { InstanceAlarms } from './instance-alarms.ts'
import { composeOperatorMail } from './letter.ts'

interface Needs {
  readonly db: Database
  readonly clock: Clock
  readonly config: Pick<Config, 'operator_email' | 'public_url'>
  readonly log: Pick<Logger, 'warn'>
  readonly mailer: Mailer
  readonly instance_alarms: InstanceAlarms
}

/** Seconds: a mail that was neither accepted nor refused is tried again; what lasts is told again. */
const lease = 60
const again = 86_400
const waits = [60, 300, 900, 3600] as const
/** Attempts for the end of an alarm. What is still wrong is tried on and on. */
const mostAttempts = 6

type Due = InstanceAlarm & { readonly mail_failures: number; readonly mail_due_at: string }

/** Mails the operator what is wrong with the installation, once a day while it is, and that it is over. */
export async function tellOperator(needs: Needs): Promise<void> {
  await needs.instance_alarms.forget()
  const to = needs.config.operator_email
  if (to === undefined) return
  for (let alarm = await takeDue(needs); alarm; alarm = await takeDue(needs)) await mail(needs, to, alarm)
}

/**
 * Of several processes, one takes it. Whoever dies before it has noted the outcome leaves it to the next. One at a
 * time: a server that answers slowly would else keep others longer than they are leased.
 */
async function takeDue({ db, clock }: Needs): Promise<Due | undefined> {
  const now = clock.now()
  const [due] = await db.query<Due>(
    `UPDATE instance_alarms a SET mail_due_at = $2, mailed_at = $1
     FROM (SELECT id FROM instance_alarms WHERE mail_due_at <= $1 ORDER BY mail_due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
     WHERE a.id = due.id
     RETURNING a.id, a.type, a.reason, a.place, a.message, a.started_at, a.ended_at, a.mail_failures, a.mail_due_at`,
    [now, addSeconds(now, lease)],
  )
  return due
}

async function mail(needs: Needs, to: string, alarm: Due): Promise<void> {
  const { clock, config, log, mailer } = needs
  const now = clock.now()
  try {
    await mailer.send(composeOperatorMail(alarm, to, config.public_url))
    await note(needs, alarm, 0, alarm.ended_at === null ? addSeconds(now, again) : null)
  } catch (error) {
    const failures = alarm.mail_failures + 1
    const wait = waits[Math.min(failures, waits.length) - 1] ?? lease
    log.warn({ reason: messageOf(error), alarm: alarm.type }, 'the operator was not mailed')
    const isHopeless = alarm.ended_at !== null && failures >= mostAttempts
    await note(needs, alarm, failures, isHopeless ? null : addSeconds(now, wait))
  }
}

/** Unless it has ended or become worse meanwhile: then that is due. */
async function note(
  { db }: Needs,
  { id, mail_due_at }: Due,
  failures: number,
  due_at: string | null,
): Promise<void> {
  await db.query(
    'UPDATE instance_alarms SET mail_due_at = $2, mail_failures = $3 WHERE id = $1 AND mail_due_at = $4',
    [id, due_at, failures, mail_due_at],
  )
}
