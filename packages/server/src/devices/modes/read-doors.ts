import type { OverrideRow } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { Fire, ModeSources } from './mode-sources.ts'
import { type Ids, readPages } from './read-pages.ts'

/** Rows per query. */
const page = 500
const wanted =
  'organization_id = $1 AND NOT is_deleted AND id > $2 AND ($3::text[] IS NULL OR id = ANY($3::text[]))'

export function readOverrides(
  db: Database,
  organizationId: string,
  into: ModeSources['overrides'],
  ids?: Ids,
): Promise<void> {
  return readPages({
    ids,
    into,
    page,
    read: (after, named) =>
      db.query<{
        id: string
        mode: OverrideRow['mode']
        lasts: OverrideRow['lasts']
        until: string | null
        set_at: string
      }>(`SELECT id, mode, lasts, until, set_at FROM overrides WHERE ${wanted} ORDER BY id LIMIT ${page}`, [
        organizationId,
        after,
        named,
      ]),
    make: ({ id, mode, lasts, until, set_at }) => ({ id, mode, lasts, ...(until && { until }), set_at }),
  })
}

interface StoredFire extends Omit<Fire, 'since' | 'reset_at'> {
  readonly since?: string | null
  readonly reset_at?: string | null
}

export function readFires(
  db: Database,
  organizationId: string,
  into: ModeSources['fires'],
  ids?: Ids,
): Promise<void> {
  return readPages({
    ids,
    into,
    page,
    read: (after, named) =>
      db.query<{ id: string; fire: StoredFire }>(
        `SELECT id, fire FROM sites WHERE ${wanted} AND fire IS NOT NULL ORDER BY id LIMIT ${page}`,
        [organizationId, after, named],
      ),
    make: ({ fire: { source_gadget_id, source_state_id, release_gadget_ids, since, reset_at } }): Fire => ({
      source_gadget_id,
      source_state_id,
      release_gadget_ids,
      ...(since && { since }),
      ...(reset_at && { reset_at }),
    }),
  })
}
