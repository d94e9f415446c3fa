import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, flag, integer, text } from '../kit/scalars.ts'
import { refuse, type Type } from '../kit/type.ts'

export const mostOperations = 100

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
