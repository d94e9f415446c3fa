import { invalid, type Resource, resources, taggable } from '@gatehouse-access/api'
import { behaviour } from './behaviour.ts'
import type { Work } from './context.ts'

/** An object with tags, or of a kind without tags. */
interface Tagged {
  readonly tag_ids?: readonly string[]
}

/** Only a tag that applies to the kind can be added. Assigned tags stay if a tag is restricted later. */
export async function checkTags(
  work: Work,
  { kind }: Resource,
  wanted: Tagged,
  held: Tagged = {},
): Promise<void> {
  const added = wanted.tag_ids?.filter(id => !held.tag_ids?.includes(id)) ?? []
  if (added.length === 0) return
  const rows = await work.db.query<{ id: string; name: string }>(
    'SELECT id, name FROM tags WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT ($3 = ANY(applies_to))',
    [work.caller.organization_id, added, kind],
  )
  const [wrong] = rows
  if (wrong)
    throw invalid(
      'tag_ids',
      `tag ${wrong.id} (${wrong.name}) does not apply to a ${kind.replaceAll('_', ' ')}`,
    )
}

/** Removes a deleted tag from all objects in the same transaction. Only the tag gets an event. */
export const tagBehaviour = behaviour('tag', {
  async beforeDelete(work, tag) {
    for (const kind of taggable) {
      const { table } = resources[kind]
      await work.db.query(
        `UPDATE ${table} SET tag_ids = array_remove(tag_ids, $2) WHERE organization_id = $1 AND tag_ids @> ARRAY[$2]`,
        [work.caller.organization_id, tag.id],
      )
    }
    return {}
  },
})
