import {
  invalid,
  mostTags,
  RequestError,
  type Resource,
  resources,
  type Taggable,
  taggable,
} from '@gatehouse-access/api'
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
  const { tag_ids: now } = wanted
  if (!now) return
  const { tag_ids: then = [] } = held
  const added = now.filter(id => !then.includes(id))
  if (added.length > 0) await checkApplies(work, kind as Taggable, added, 'tag_ids')
  if (kind === 'gadget') await requireRights(work, [...added, ...then.filter(id => !now.includes(id))])
}

/** Tags that rules name open doors and close them: so they are for whoever may change rules. */
async function requireRights({ db, caller }: Work, tagIds: readonly string[]): Promise<void> {
  if (tagIds.length === 0 || caller.scopes.includes('full_read_write')) return
  const [named] = await db.query<{ name: string }>(
    `SELECT name FROM tags t WHERE organization_id = $1 AND id = ANY($2::text[]) AND EXISTS (
       SELECT 1 FROM member_groups g WHERE g.organization_id = $1 AND NOT g.is_deleted
         AND g.permissions @> jsonb_build_array(jsonb_build_object('tag_id', t.id))) LIMIT 1`,
    [caller.organization_id, tagIds],
  )
  if (named)
    throw new RequestError(
      'permission_denied',
      `rules of groups name the tag ${named.name}: who may change rules can add it to a door or take it away; ask an administrator`,
      { args: { reason: 'tag_of_rules' } },
    )
}

/** Refuses a tag that does not apply to objects of a kind. */
export async function checkApplies(
  work: Work,
  kind: Taggable,
  added: readonly string[],
  field: string,
): Promise<void> {
  const rows = await work.db.query<{ id: string; name: string }>(
    'SELECT id, name FROM tags WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT ($3 = ANY(applies_to))',
    [work.caller.organization_id, added, kind],
  )
  const [wrong] = rows
  if (wrong)
    throw invalid(field, `tag ${wrong.id} (${wrong.name}) does not apply to a ${kind.replaceAll('_', ' ')}`)
}

/** A deleted tag is taken from all objects, and a restored one given back, in the same transaction. Only the tag gets an event. */
export const tagBehaviour = behaviour('tag', {
  async beforeDelete(work, tag) {
    // A process of an older version may have restored it since.
    await forgetHolders(work, tag.id)
    for (const kind of taggable) await takeFrom(work, kind, tag.id)
    return {}
  },
  async beforeRestore(work, tag) {
    for (const kind of taggable) await giveBack(work, kind, tag.id)
    await forgetHolders(work, tag.id)
    return {}
  },
})

async function takeFrom({ db, caller }: Work, kind: Taggable, tagId: string): Promise<void> {
  await db.query(
    `WITH had AS (UPDATE ${resources[kind].table} SET tag_ids = array_remove(tag_ids, $2)
       WHERE organization_id = $1 AND tag_ids @> ARRAY[$2] RETURNING id)
     INSERT INTO tag_holders (organization_id, tag_id, object_id) SELECT $1, $2, id FROM had`,
    [caller.organization_id, tagId],
  )
}

/** What is deleted gets it too, for when it is restored. What has been given as many others as it can have does not. */
async function giveBack({ db, caller }: Work, kind: Taggable, tagId: string): Promise<void> {
  await db.query(
    `UPDATE ${resources[kind].table} t SET tag_ids = array_append(t.tag_ids, $2) FROM tag_holders h
     WHERE h.organization_id = $1 AND h.tag_id = $2 AND t.organization_id = $1 AND t.id = h.object_id
       AND NOT t.tag_ids @> ARRAY[$2] AND cardinality(t.tag_ids) < ${mostTags}`,
    [caller.organization_id, tagId],
  )
}

async function forgetHolders({ db, caller }: Work, tagId: string): Promise<void> {
  await db.query('DELETE FROM tag_holders WHERE organization_id = $1 AND tag_id = $2', [
    caller.organization_id,
    tagId,
  ])
}
