import type { Database } from '../../database/db.ts'

/** The organizations in which somebody has to come first or leaves last: most have no such rule. */
export class WatchedRules {
  readonly #organizations = new Set<string>()

  async load(db: Database): Promise<void> {
    this.#organizations.clear()
    for (const id of await findWatching(db)) this.#organizations.add(id)
  }

  /** To be called with the organizations whose rules have changed. */
  async refresh(db: Database, organizations: readonly string[]): Promise<void> {
    if (organizations.length === 0) return
    for (const id of organizations) this.#organizations.delete(id)
    for (const id of await findWatching(db, organizations)) this.#organizations.add(id)
  }

  has(organizationId: string): boolean {
    return this.#organizations.has(organizationId)
  }
}

async function findWatching(db: Database, organizations?: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ organization_id: string }>(
    `SELECT DISTINCT organization_id FROM unlock_rules WHERE NOT is_deleted AND is_enabled
       AND (first_person IS NOT NULL OR last_person_signal IS NOT NULL)
       AND ($1::text[] IS NULL OR organization_id = ANY($1::text[]))`,
    [organizations ?? null],
  )
  return rows.map(row => row.organization_id)
}
