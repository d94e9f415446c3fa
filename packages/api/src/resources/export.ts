import { list, optional, required, type Shape } from '../kit/compounds.ts'
import type { Resource } from '../kit/resource.ts'
import { choice, text } from '../kit/scalars.ts'
import { refuse, type Type } from '../kit/type.ts'

export const exportFormats = ['csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The most columns of an export. */
export const mostColumns = 500

/** Filters by the names of the list's parameters. Their values are checked as those of the list are. */
type FilterValue = string | number | boolean
const filter: Type<Record<string, FilterValue>> = {
  schema: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    maxProperties: 50,
  },
  column: 'jsonb',
  parse(value, path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refuse(path, 'an object of filters', value)
    const entries = Object.entries(value)
    if (entries.length > 50) return refuse(path, 'an object of at most 50 filters', value)
    return Object.fromEntries(entries.map(([name, given]) => [name, readValue(given, `${path}.${name}`)]))
  },
}

function readValue(value: unknown, path: string): FilterValue {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value
  return refuse(path, 'a text, a number or a boolean', value)
}

/** The body of `POST /exports`. */
export const exportParts = {
  kind: required(text(64), 'What to export: the name of any list, such as `members` or `events`.'),
  filter: optional(filter, 'The filters of that list. Without it, all that are not deleted.'),
  columns: optional(
    list(text(255), { min: 1, max: mostColumns, unique: true }),
    'Which columns: fields, `metadata.<key>`, parts of fields and of what is expanded, such as `site.name`. Defaults to all.',
  ),
  expand: optional(list(text(255), { max: 20, unique: true }), 'What to embed, as in the list.'),
  format: required(choice(...exportFormats), 'CSV, or one JSON object a line.'),
}
export type ExportBody = Shape<typeof exportParts>

/** Whether there is a list of its objects. */
export function isListed({ verbs }: Resource): boolean {
  return verbs.includes('list')
}
