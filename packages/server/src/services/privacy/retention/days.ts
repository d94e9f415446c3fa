import { closeAct, receiptOf, retentionAct } from '../../../audit/amendments/amendment.ts'
import type { Database } from '../../../database/db.ts'
import { tryLock } from '../../../database/locks.ts'
import { eachApart } from '../../../flow/each-apart.ts'
import { present } from '../../../flow/present.ts'
import { logEvents } from '../../../store/event-log.ts'
import type { Context } from '../../objects/context.ts'

export function dayOf(now: string): string {
  return now.slice(0, 10)
}

/** A day that has its receipt takes no more: another process has a clock that is ahead. */
export async function countAmended(
  db: Database,
  organization_id: string,
  day: string,
  amended: number,
): Promise<void> {
  const rows = await db.query(
    `INSERT INTO retention_days AS d (organization_id, day, amended) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id, day) DO UPDATE SET amended = d.amended + excluded.amended WHERE d.event_id IS NULL RETURNING 1`,
    [organization_id, day, amended],
  )
  if (rows.length === 0) throw new Error(`retention of ${day} has its receipt already`)
}

/** Writes the receipts of days that are over. */
export async function writeReceipts({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const open = await db.query<{ organization_id: string; day: string; amended: number }>(
    `SELECT organization_id, day::text, amended FROM retention_days WHERE event_id IS NULL AND day < $1::date ORDER BY day, organization_id`,
    [dayOf(now)],
  )
  await eachApart(open, async ({ organization_id, day, amended }) => {
    const act = { organization_id, act: retentionAct(day) }
    // Outside of the transaction: a day may have amended millions.
    const receipt_hash = await receiptOf(db, act)
    await db.transaction(async inner => {
      if (!(await tryLock(inner, 'retention_of_organization', organization_id))) return
      if (!(await isUnchanged(inner, organization_id, day, amended))) return
      const object = { type: 'organization', organization_id, reason: 'retention', receipt_hash } as const
      const drafts = [{ organization_id, subject: {}, verb: 'edit', object, recorded_at: now } as const]
      const [id] = await logEvents(inner, drafts)
      const event_id = present(id, 'the receipt')
      await closeAct(inner, act, event_id)
      await inner.query('UPDATE retention_days SET event_id = $3 WHERE organization_id = $1 AND day = $2', [
        organization_id,
        day,
        event_id,
      ])
    })
  })
}

async function isUnchanged(
  db: Database,
  organization_id: string,
  day: string,
  amended: number,
): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 FROM retention_days WHERE organization_id = $1 AND day = $2 AND amended = $3 AND event_id IS NULL',
    [organization_id, day, amended],
  )
  return rows.length > 0
}
