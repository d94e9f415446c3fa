import { BackupError } from '../backup/archive/backup-error.ts'
import type { Database } from '../database/db.ts'
import { holdForSession, tryLock } from '../database/locks.ts'
import type { Session } from '../database/session.ts'
import { removeRows } from '../services/organizations/remove-rows.ts'

/** Takes the lock that says that an import of the organization runs, until the session ends. */
export async function holdImport(session: Session, organization_id: string): Promise<void> {
  if (await holdForSession(session, 'import_of_organization', organization_id)) return
  throw new BackupError(`The organization ${organization_id} is being imported already: wait for that.`)
}

/** What was loaded must not be removed: its import runs, or is done. */
class Kept extends Error {
  override name = 'Kept'
}

/** Removes what an import has loaded. The caller holds the lock. */
export function removeLoaded(db: Database, organization_id: string): Promise<void> {
  return removeRows(db, organization_id, inner => requireAbsent(inner, organization_id))
}

/** Looks again in each transaction, because nothing of an organization that exists may ever be removed here. */
async function requireAbsent(db: Database, organization_id: string): Promise<void> {
  const rows = await db.query('SELECT 1 FROM organizations WHERE id = $1', [organization_id])
  if (rows.length > 0) throw new Kept(`the organization ${organization_id} exists`)
}

/** Removes what an interrupted import has left, unless it runs. Each step looks again: it may be repeated by now. */
export async function discardImport(db: Database, organization_id: string): Promise<void> {
  const hold = async (inner: Database) => {
    if (!(await tryLock(inner, 'import_of_organization', organization_id))) throw new Kept('it runs')
    await requireAbsent(inner, organization_id)
  }
  try {
    await removeRows(db, organization_id, hold)
    await db.transaction(async inner => {
      await hold(inner)
      await forgetImport(inner, organization_id)
    })
  } catch (error) {
    if (!(error instanceof Kept)) throw error
  }
}

export async function forgetImport(db: Database, organization_id: string): Promise<void> {
  await db.query('DELETE FROM organization_imports WHERE organization_id = $1', [organization_id])
}
