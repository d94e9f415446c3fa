import type { Database } from '../../database/db.ts'
import { type Ids, readPages } from '../modes/read-pages.ts'

/** The tags of gadgets that have any, by gadget. */
export type TagsOfGadgets = Map<string, readonly string[]>

/** Rows per query. */
const page = 500

export function readTags(
  db: Database,
  organizationId: string,
  into: TagsOfGadgets,
  ids?: Ids,
): Promise<void> {
  return readPages({
    ids,
    into,
    page,
    read: (after, named) =>
      db.query<{ id: string; tag_ids: string[] }>(
        `SELECT id, tag_ids FROM gadgets WHERE organization_id = $1 AND NOT is_deleted AND id > $2 AND ($3::text[] IS NULL OR id = ANY($3::text[]))
           AND tag_ids <> '{}' ORDER BY id LIMIT ${page}`,
        [organizationId, after, named],
      ),
    make: ({ tag_ids }) => tag_ids,
  })
}

/** Rereads the tags of some gadgets, and of all that had one of these tags or have it now. Returns true if any changed. */
export async function rereadTags(
  db: Database,
  organizationId: string,
  tags: TagsOfGadgets,
  changed: { readonly gadgets: readonly string[]; readonly tags: ReadonlySet<string> },
): Promise<boolean> {
  const ids = new Set(changed.gadgets)
  if (changed.tags.size > 0) {
    for (const id of await findTagged(db, organizationId, changed.tags)) ids.add(id)
    for (const [id, held] of tags) if (held.some(tag => changed.tags.has(tag))) ids.add(id)
  }
  const textOf = (id: string) => tags.get(id)?.join() ?? ''
  const before = new Map([...ids].map(id => [id, textOf(id)]))
  await readTags(db, organizationId, tags, ids)
  return [...before].some(([id, text]) => text !== textOf(id))
}

/** A restored tag is given back to gadgets that are not known to have it. */
async function findTagged(
  db: Database,
  organizationId: string,
  tags: ReadonlySet<string>,
): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(
    'SELECT id FROM gadgets WHERE organization_id = $1 AND NOT is_deleted AND tag_ids && $2::text[]',
    [organizationId, [...tags]],
  )
  return rows.map(({ id }) => id)
}

/** Returns those of some gadgets that have a tag, by tag. */
export function byTag(
  tags: TagsOfGadgets,
  gadgets: Iterable<string>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const id of gadgets)
    for (const tag of tags.get(id) ?? []) {
      const tagged = found.get(tag)
      if (tagged) tagged.push(id)
      else found.set(tag, [id])
    }
  return found
}
