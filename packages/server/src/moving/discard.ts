import type { Database } from '../database/db.ts'
import { tryLock } from '../database/locks.ts'
import { removeRows } from '../store/remove-rows.ts'

/** The import still runs. */
class StillRunning extends Error {
  override name = 'StillRunning'
}

/** Removes what an interrupted import has left, unless it runs. Each step looks again: it may be repeated by now. */
export async function discardImport(db: Database, organization_id: string): Promise<void> {
  const hold = async (inner: Database) => {
    if (!(await tryLock(inner, 'import_of_organization', organization_id))) throw new StillRunning()
  }
  try {
    await removeRows(db, organization_id, hold)
    await db.transaction(async inner => {
      await hold(inner)
      await forgetImport(inner, organization_id)
    })
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error
  }
}

export async function forgetImport(db: Database, organization_id: string): Promise<void> {
  await db.query('DELETE FROM organization_imports WHERE organization_id = $1', [organization_id])
}
