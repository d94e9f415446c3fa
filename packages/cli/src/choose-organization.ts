import { type Database, listOrganizations } from '@gatehouse-access/server'
import { CommandError } from './command.ts'

/** Returns the requested organization, or the oldest. */
export async function chooseOrganization(
  db: Database,
  id: string | undefined,
): Promise<{ id: string; name: string }> {
  const all = await listOrganizations(db)
  const found = id === undefined ? all[0] : all.find(organization => organization.id === id)
  if (found) return found
  if (id === undefined) throw new CommandError('The instance has no organization yet.')
  throw new CommandError(`There is no organization ${id}: gatehouse organizations lists them.`)
}
