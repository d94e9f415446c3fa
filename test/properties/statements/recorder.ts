import type { Database } from '@gatehouse-access/server'
import { asQuery } from '../../../packages/server/src/database/postgres/query.ts'

/** Returns the texts of the statements that `run` issues, on a database that returns no rows. */
export async function recordTexts(run: (db: Database) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const db: Database = {
    query: asQuery(async text => {
      texts.push(text)
      return []
    }),
    transaction: work => work(db),
    afterCommit: () => {},
  }
  // Code that expects a row fails without one, but by then it has issued its statement.
  await run(db).catch(() => undefined)
  return texts
}
