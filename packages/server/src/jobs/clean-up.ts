import { addSeconds } from '@gatehouse-access/core'
import { keptRows } from '../database/kept-rows.ts'
import { eachApart } from '../flow/each-apart.ts'
import type { Context } from '../services/objects/context.ts'
import { makeEventPartitions } from '../store/migration/migrate.ts'

const batch = 5000

/** Removes expired rows and creates the event partitions of the coming months. */
export async function cleanUp({ db, clock }: Context): Promise<void> {
  const now = clock.now()
  await makeEventPartitions(db, now)
  await eachApart(keptRows, ([table, column, seconds]) =>
    removeBefore(db, table, column, addSeconds(now, -seconds)),
  )
}

/** Deletes in batches, so that no long transaction holds back the readers of the feed. */
async function removeBefore(db: Context['db'], table: string, column: string, before: string): Promise<void> {
  for (;;) {
    const rows = await db.query(
      `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT ${batch}) RETURNING 1`,
      [before],
    )
    if (rows.length < batch) return
  }
}
