import { metadataLimit } from '../../kit/compounds.ts'
import { defaultLimit, maxLimit, mostCounted } from '../list-query.ts'

export interface Chapter {
  readonly id: string
  readonly title: string
  /** Paragraphs. A paragraph that starts with `* ` is a list item. `code` is in backticks. */
  readonly text: readonly string[]
}

/** The rules that apply to all endpoints. The OpenAPI document and the reference page share this text. */
export const conventions: readonly Chapter[] = [
  {
    id: 'authentication',
    title: 'Authentication',
    text: [
      'Every request carries an OAuth 2.0 access token in the header `Authorization: Bearer <ACCESS_TOKEN>`. A token gives access to exactly one organization and is valid for one hour. An API key, which an administrator makes for the own organization, is sent in the same header.',
      '* `full_read_write` reads and changes everything an administrator can.',
      "* `full_read_only` reads everything. It can still manage its own application's webhooks.",
      '* `members`, `members:read`, `devices`, `events:read` and `actions` are parts of that, alone or together: each endpoint names the scopes that reach it. What a token cannot read is left out of expands.',
      '* `offline` adds a refresh token when a code is exchanged.',
      'Objects of another organization look exactly as if they had never existed.',
    ],
  },
  {
    id: 'values',
    title: 'Values',
    text: [
      'Request and response bodies are JSON. Clients must ignore response fields and enum values they do not know: new ones can be added at any time. The service rejects unknown body fields and query parameters, and names them.',
      '* IDs are strings with a prefix for their kind, such as `mem_`, followed by 20 characters. They sort by creation time.',
      '* Timestamps are ISO 8601 in UTC with microseconds: `2026-11-14T09:30:00.123456Z`. Input can have any offset.',
      `* \`metadata\` holds your own string values by string keys, at most ${metadataLimit} bytes of UTF-8 in total. An edit merges it key by key; \`null\` removes a key.`,
      '* In a POST, `null` for an optional field is the same as leaving it out.',
      '* In an edit, a field left out stays unchanged and `null` clears it. Arrays and other nested objects are replaced as a whole.',
      '* A deleted object is kept with `is_deleted: true` and can still be read. An edit with `is_deleted: false` restores most kinds of objects; any other edit of a deleted object is rejected.',
    ],
  },
  {
    id: 'pagination',
    title: 'Pagination',
    text: [
      `Lists return a page: \`data\`, \`has_next\` and, while there is more, \`cursor_next\`. Send \`cursor_next\` as \`cursor\`, with the same sort and filters, to get the next page. \`limit\` is 1 to ${maxLimit}, by default ${defaultLimit}.`,
      'No object is skipped or repeated while others are created and deleted. Lists start with the newest object; `sort` changes the order, for example `sort=name:asc`. Each list names the fields it can be sorted by.',
      `\`with_count=true\` adds \`count\`, how many objects the list has, to lists of events and of objects that can be deleted. It counts to ${mostCounted}, which stands for that many or more. Events that several filters narrow are counted if one of them, of an id if there is one, leaves fewer than that; else \`count\` is absent.`,
    ],
  },
  {
    id: 'filters',
    title: 'Filters',
    text: [
      'Filters are query parameters named after the field: `site_id=site_…`. All given filters must match, and each can be given once.',
      '* To compare times, add `:gt`, `:ge`, `:lt` or `:le` to the name: `created_at:ge=2026-11-01T00:00:00Z`.',
      '* `metadata.<key>=<value>` finds objects by metadata, on every list of objects that have metadata.',
      '* `tag_ids=tag_…,tag_…` finds objects that have all of these tags.',
      '* `is_deleted` is `false` by default; `true` returns only deleted objects, `any` returns both.',
      '* `q` searches names, emails and printed codes.',
    ],
  },
  {
    id: 'expands',
    title: 'Expands',
    text: [
      '`expand` embeds the objects that a response refers to, in the same request: `expand=site` on a gadget adds `site` next to `site_id`. Separate names with commas, and use dots to go deeper: `expand=emails,group_associations.member_group`.',
      'Expands to many objects hold those that are not deleted, newest first. One response embeds at most 10,000 objects, and at most 16 MiB of the lists inside them, such as the rules of groups. Secrets never appear in an expand.',
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    text: [
      'All errors have the same JSON shape: `type` is a stable code, `message` says which value was wrong and what would be valid, and `args` holds details for programs, such as `field` and `reason`.',
    ],
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    text: [
      'Every POST accepts an `Idempotency-Key` of 1 to 255 characters. If a response is lost, repeat the request with the same key: it runs only once, and you get the first response again, with `Idempotent-Replayed: true`. Keys are kept for 24 hours.',
      '* The same key with a different request: 422 `idempotency_conflict`.',
      '* While the first request is still running: 409 `idempotency_in_progress`.',
    ],
  },
  {
    id: 'etags',
    title: 'ETags',
    text: [
      'Every object is returned with an `ETag` that represents its editable fields. Send it as `If-Match` with an edit or a delete to make sure you change only what you have seen: if the object has changed since, the response is 412 `precondition_failed` and nothing is changed.',
    ],
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    text: [
      'Each application can make 500 requests per second in an organization, however many tokens it holds, and everything in an organization together 1,000, with bursts of twice that, unless the operator has set other limits. Every response reports the state in `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`. Over the limit, the response is 429 with `Retry-After` in seconds.',
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
