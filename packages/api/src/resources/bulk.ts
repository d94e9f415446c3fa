import { clearable, list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, flag, integer, reference, text, timestamp } from '../kit/scalars.ts'
import { clip, join, refuse, type Type } from '../kit/type.ts'
import { mostNamed, mostOperations } from './bulk-limits.ts'

/** An object whose content is checked by the endpoint that it is for. */
const anyObject: Type<object> = {
  schema: { type: 'object' },
  column: 'jsonb',
  parse: (value, path) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? value
      : refuse(path, 'an object', value),
}

const operationId = text(64, {
  pattern: /^[A-Za-z0-9_-]+$/,
  expected: '1 to 64 letters, digits, underscores or hyphens',
})

const operationParts = {
  id: optional(operationId, 'Your name for the operation. Later operations refer to its result by it.'),
  method: required(choice('GET', 'POST', 'PATCH', 'DELETE'), 'The method.'),
  path: required(
    text(2048, { pattern: /^\/[^\s#]*$/, expected: 'a path after /v2, like /members?limit=5' }),
    'The path after `/v2`, with its query. A whole segment can be a reference like `$a.id`.',
  ),
  body: optional(anyObject, 'The body of POST and PATCH. Any whole value can be a reference like `"$a.id"`.'),
  if_match: optional(text(255), 'The ETag that the object must still have, as in `If-Match`.'),
}

/** The body of `POST /bulk`. */
export const bulkParts = {
  operations: required(
    list(shape(operationParts), { min: 1, max: mostOperations }),
    'What to do, in this order.',
  ),
  atomic: optional(
    flag,
    'If true, all operations are one transaction: the first that is refused ends the request with 400, and nothing has changed.',
  ),
}
export type BulkBody = Shape<typeof bulkParts>
export type BulkOperation = Shape<typeof operationParts>

const resultParts = {
  id: nullable(text(64), 'The `id` of the operation, if it has one.'),
  status: required(integer(200, 599), 'The status that the request would have been answered with.'),
  body: required(anyObject, 'What it would have been answered with: an object, a page or an error.'),
  headers: required(
    shape({
      etag: optional(text(255), 'The ETag of the object.'),
      'retry-after': optional(text(16), 'Seconds after which to try again.'),
    }),
    'Headers of the answer.',
  ),
}
export type BulkResult = Shape<typeof resultParts>

export const bulkAnswer = shape({
  results: required(
    list(shape(resultParts), { min: 1, max: mostOperations }),
    'The results, in the order of the operations.',
  ),
})

/** Filters of a list by their names, as in its query. */
const filters: Type<Record<string, string>> = {
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  column: 'jsonb',
  parse(value, path) {
    for (const [name, text] of Object.entries(anyObject.parse(value, path)))
      if (typeof text !== 'string') return refuse(join(path, clip(name)), 'a string', text)
    return { ...(value as Record<string, string>) }
  },
}

const some = (kind: 'tag' | 'member_group') => list(reference(kind), { min: 1, max: 20, unique: true })

const changeParts = {
  add_tag_ids: optional(some('tag'), 'Tags to add.'),
  remove_tag_ids: optional(some('tag'), 'Tags to remove.'),
  add_member_group_ids: optional(some('member_group'), 'Groups to put members into who are not in them.'),
  remove_member_group_ids: optional(some('member_group'), 'Groups to take members out of.'),
  starts_at: clearable(timestamp, 'When access starts. Null: at once.'),
  ends_at: clearable(timestamp, 'When access ends. Null: never.'),
  is_deleted: optional(flag, 'True deletes. It cannot be combined with other changes.'),
}
export type BulkChange = Shape<typeof changeParts>

/** The body of `POST /bulk/edit`. */
export const bulkEditParts = {
  kind: required(choice('members'), 'What to change.'),
  filter: optional(
    filters,
    'Which of them: filters of `GET /members` by their names, like `{"tag_ids": "tag_…", "ends_at:lt": "2027-01-01T00:00:00Z"}`. `{}` means all.',
  ),
  ids: optional(
    list(reference('member'), { min: 1, max: mostNamed, unique: true }),
    'Which of them, one by one, instead of `filter`.',
  ),
  change: required(shape(changeParts), 'What to change of each.'),
  dry_run: optional(flag, 'If true, changes nothing, and says in `summary` what would change.'),
  expected_count: optional(
    integer(0, 2_147_483_647),
    'How many there are, as a dry run has counted (`progress.total`). Refused with 412 if it is another number. Required unless `dry_run` is true.',
  ),
}
export type BulkEditBody = Shape<typeof bulkEditParts>
