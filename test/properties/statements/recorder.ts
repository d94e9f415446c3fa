import type { Database } from '@gatehouse/server'
import { asQuery } from '../../../packages/server/src/database/postgres/query.ts'

/** The texts of what is asked while `run` works on a database that answers nothing. */
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
  // Whoever expects a row gives up without one; by then it has asked for it.
  await run(db).catch(() => undefined)
  return texts
}
