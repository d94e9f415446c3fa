import { metadataLimit } from '../../kit/compounds.ts'
import { defaultLimit, maxLimit } from '../list-query.ts'

export interface Chapter {
  readonly id: string
  readonly title: string
  /** Paragraphs; those that begin with `* ` are points of a list. `code` stands in backticks. */
  readonly text: readonly string[]
}

/** What holds for all endpoints. The OpenAPI document and the reference page tell it in the same words. */
export const conventions: readonly Chapter[] = [
  {
    id: 'authentication',
    title: 'Authentication',
    text: [
      'Every request carries an OAuth 2.0 access token in the header `Authorization: Bearer <ACCESS_TOKEN>`. A token reaches exactly one organization, for one hour.',
      '* `full_read_write` reads and changes everything an administrator can.',
      '* `full_read_only` reads everything. It may still manage the webhooks of its own application.',
      '* `offline` adds a refresh token to the exchange of a code.',
      'What belongs to another organization answers exactly as if it had never existed.',
    ],
  },
  {
    id: 'values',
    title: 'Values',
    text: [
      'Bodies and answers are JSON. Clients ignore answer fields and enum values they do not know: new ones may come at any time. The service refuses body fields and query parameters it does not know, and names them.',
      '* Ids are strings with a prefix for their kind, such as `mem_` and 20 characters. They sort by creation.',
      '* Timestamps are ISO 8601 in UTC with microseconds: `2026-11-14T09:30:00.123456Z`. Input may carry any offset.',
      `* \`metadata\` holds strings of your own by string keys, at most ${metadataLimit} bytes of UTF-8 together. An edit merges it key by key; \`null\` removes a key.`,
      '* In a POST, `null` for an optional field is the same as leaving it out.',
      '* In an edit, a field left out stays as it is and `null` clears it. Arrays and other nested objects are replaced whole.',
      '* Deleting keeps the object with `is_deleted: true`; it can still be read. An edit with `is_deleted: false` restores most kinds; any other edit of a deleted object is refused.',
    ],
  },
  {
    id: 'pagination',
    title: 'Pagination',
    text: [
      `Lists answer a page: \`data\`, \`has_next\` and, while there is more, \`cursor_next\`. Send that as \`cursor\`, with the same sort and filters, to get the next page. \`limit\` is 1 to ${maxLimit}, by default ${defaultLimit}.`,
      'No object is skipped or shown twice while others are created and deleted. Lists begin with the newest; `sort=name:asc` changes that for the fields each list names.',
    ],
  },
  {
    id: 'filters',
    title: 'Filters',
    text: [
      'Filters are query parameters named after the field: `site_id=site_…`. All given ones must match, and each may be given once.',
      '* Times compare with `:gt`, `:ge`, `:lt` and `:le` as part of the name: `created_at:ge=2026-11-01T00:00:00Z`.',
      '* `metadata.<key>=<value>` finds objects by metadata, on every list whose objects have it.',
      '* `tag_ids=tag_…,tag_…` finds those that have all of these tags.',
      '* `is_deleted` is `false` by default; `true` and `any` show deleted objects.',
      '* `q` searches names, emails and printed codes.',
    ],
  },
  {
    id: 'expands',
    title: 'Expands',
    text: [
      '`expand` embeds the objects that an answer refers to, in the same request: `expand=site` on a gadget adds `site` beside `site_id`. Names are separated by commas, and dots go deeper: `expand=emails,group_associations.member_group`.',
      'To-many expands hold the objects that are not deleted, newest first. One answer embeds at most 10,000 objects, and 16 MiB of the lists inside them, such as rules of groups. Secrets never appear in an expand.',
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    text: [
      'Every error is JSON of one shape: `type` is a stable code, `message` says what was wrong with which value and what would be right, `args` holds details for programs, such as `field` and `reason`.',
    ],
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    text: [
      'Every POST takes an `Idempotency-Key` of 1 to 255 characters. Repeat a request whose answer was lost with the same key: it is done once, and the first answer comes again, with `Idempotent-Replayed: true`. Keys are kept for 24 hours.',
      '* The same key with another request: 422 `idempotency_conflict`.',
      '* While the first request still runs: 409 `idempotency_in_progress`.',
    ],
  },
  {
    id: 'etags',
    title: 'ETags',
    text: [
      'Every object is answered with an `ETag` that stands for its editable fields. Send it as `If-Match` with an edit or a delete to change only what you have seen: when the object moved on, the answer is 412 `precondition_failed` and nothing is changed.',
    ],
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    text: [
      'Each application may make 500 requests a second in an organization, however many tokens it holds, and all of an organization together 1,000, with bursts of twice that, unless the operator set another limit. Every answer tells the state in `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`. Over the limit, the answer is 429 with `Retry-After` in seconds.',
    ],
  },
]

export function conventionsInMarkdown(): string {
  return conventions.map(({ title, text }) => `## ${title}\n\n${joinParagraphs(text)}`).join('\n\n')
}

function joinParagraphs(text: readonly string[]): string {
  return text.reduce((joined, next) => `${joined}${isPoint(joined, next) ? '\n' : '\n\n'}${next}`)
}

function isPoint(joined: string, next: string): boolean {
  return next.startsWith('* ') && (joined.split('\n').at(-1) ?? '').startsWith('* ')
}
