import { invalid, resources, type TestedTarget } from '@gatehouse-access/api'
import type { Outcome } from '../../channels/outcome.ts'
import { countFreely, enoughMail } from '../../services/mail/mail-codes.ts'
import type { InputOf } from '../../services/objects/action.ts'
import type { Work } from '../../services/objects/context.ts'
import { getObject } from '../../services/objects/objects.ts'
import { newId } from '../../store/ids.ts'
import { logObject } from '../../store/write.ts'
import { onOneLine } from '../../texts/fill-gaps.ts'
import { findTarget, type Receiver } from './find-receiver.ts'
import { attemptOf } from './record.ts'
import { sendMessage } from './send-message.ts'

const tests_an_hour = 60

/** `POST /notification_targets/{id}/test`: sends at once, outside of any transaction. */
export async function testTarget(input: InputOf<'notification_target', 'test'>): Promise<TestedTarget> {
  const { work, target, id } = input
  const { kind } = await getObject(work, target, id)
  input.readBody()
  const { organization_id } = work.caller
  const receiver = await findTarget(work.context, organization_id, id)
  if (!receiver)
    throw invalid('is_verified', 'is_verified is false: prove the address with a code before testing it')
  const counted = { db: work.context.db, now: work.now }
  if (!(await countFreely(counted, `tests of ${organization_id}`, tests_an_hour)))
    throw enoughMail(`an organization can send at most ${tests_an_hour} test messages an hour`)
  const notification_id = newId('notification', work.now)
  const outcome = await send(work, receiver, notification_id)
  const { outcome: word, status_code } = attemptOf(work.now, outcome)
  await work.db.transaction(async db => {
    await store({ ...work, db }, { id, kind, notification_id }, outcome)
    const row = await getObject({ ...work, db }, target, id)
    await logObject({ ...work, db }, resources.notification_target, 'use', row)
  })
  return {
    notification_id,
    is_delivered: outcome.is_delivered,
    outcome: word,
    status_code: status_code ?? null,
  }
}

async function send({ caller, context }: Work, receiver: Receiver, id: string): Promise<Outcome> {
  const { organization_id } = caller
  const [row] = await context.db.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    organization_id,
  ])
  return sendMessage(context, receiver, {
    id,
    organization: { id: organization_id, name: onOneLine(row?.name ?? '') },
    reason: 'test',
    alarms: [],
    language: receiver.language,
    url: `${context.config.public_url}/o/${organization_id}/alarms`,
  })
}

interface Tested {
  readonly id: string
  readonly kind: string
  readonly notification_id: string
}

async function store(
  { caller, context, db, now }: Work,
  { id, kind, notification_id }: Tested,
  outcome: Outcome,
): Promise<void> {
  await db.query(
    `INSERT INTO notifications (id, organization_id, notification_target_id, channel, reason, status, attempts, finished_at, created_at)
     VALUES ($1, $2, $3, $4, 'test', $5, $6, $7, $8)`,
    [
      notification_id,
      caller.organization_id,
      id,
      kind,
      outcome.is_delivered ? 'succeeded' : 'failed',
      [attemptOf(now, outcome)],
      context.clock.now(),
      now,
    ],
  )
}
