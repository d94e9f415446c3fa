import { invalid } from '../errors.ts'
import { list, nullable, optional, type Shape, shape } from '../kit/compounds.ts'
import { choice, flag, integer, reference, text, timezone } from '../kit/scalars.ts'
import { refuse, type Type } from '../kit/type.ts'
import { mostColumns } from '../resources/export.ts'
import { importKinds, isTarget, type TargetColumn } from './columns.ts'

export const importModes = ['create', 'upsert', 'sync'] as const
export const rowErrorWays = ['skip', 'stop', 'rollback'] as const

/** Bytes of a file, its rows, and the rows of one that is imported as a whole or not at all. */
export const largestImport = 104_857_600
export const mostImportRows = 200_000
export const mostRollbackRows = 5_000
export const largestRollback = 16 * 1024 * 1024
/** Row errors that are kept with their row. All are counted. */
export const mostRowErrors = 10_000
/**
 * Columns of a file: those of any export, and room for some more. A file of one JSON object per line could otherwise name a new
 * one in every line.
 */
export const mostImportColumns = mostColumns + 100

const mapping: Type<Record<string, TargetColumn | null>> = {
  schema: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
  column: 'jsonb',
  parse(value, path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refuse(path, 'an object of columns', value)
    const entries = Object.entries(value)
    if (entries.length > mostImportColumns)
      return refuse(path, `an object of at most ${mostImportColumns} columns`, value)
    const wrong = entries.find(([, target]) => target !== null && typeof target !== 'string')
    return wrong ? refuse(`${path}.${wrong[0]}`, 'the name of a column, or null', wrong[1]) : { ...value }
  },
}

const cell = text(4000)

const defaults = shape({
  name: optional(cell, 'As in a cell.'),
  email: optional(cell, 'As in a cell.'),
  groups: optional(cell, 'As in a cell.'),
  starts_at: optional(cell, 'As in a cell.'),
  ends_at: optional(cell, 'As in a cell.'),
  language: optional(cell, 'As in a cell.'),
  tags: optional(cell, 'As in a cell.'),
  pin: optional(cell, '`new`.'),
  magic_link: optional(cell, '`new`.'),
  calendar: optional(cell, 'For days: the name or ID of their calendar.'),
  group: optional(cell, 'For associations: the name or ID of the group.'),
  kind: optional(cell, 'For days: their kind.'),
  member_group_ids: optional(
    list(reference('member_group'), { max: 100, unique: true }),
    'Groups of members whose cell is empty.',
  ),
  credentials: optional(
    shape({
      magic_link: optional(flag, 'True: every member has a link.'),
      pin: optional(shape({ length: optional(integer(4, 20), 'Digits.') }), '`{}`: every member has a PIN.'),
    }),
    'As in grants.',
  ),
})

const importKey: Type<string> = {
  ...text(270),
  parse(value, path) {
    const name = text(270).parse(value, path)
    const isKey = ['external_id', 'email', 'card_uid'].includes(name) || /^metadata\../s.test(name)
    return isKey ? name : refuse(path, 'external_id, email, card_uid or metadata.<key>', value)
  },
}

const maxDeletes: Type<string> = {
  schema: { type: 'string', pattern: '^(\\d{1,6}|\\d{1,3}(\\.\\d+)?%)$' },
  column: 'text',
  parse(value, path) {
    const written = typeof value === 'number' ? String(value) : value
    const isPercent = typeof written === 'string' && /^\d{1,3}(\.\d+)?%$/.test(written)
    if (isPercent && Number.parseFloat(written) <= 100) return written
    if (typeof written === 'string' && /^\d{1,6}$/.test(written)) return written
    return refuse(path, 'a number like 20, or a percentage like 5%', value)
  },
}

export const importSettingParts = {
  kind: optional(choice(...importKinds), 'What the rows are. Defaults to `members`.'),
  mode: optional(
    choice(...importModes),
    '`create`: every row is new. `upsert` (default): a row whose key is known changes what is there. `sync`: like upsert, and members of the same `source` that the file lacks are deleted.',
  ),
  key: optional(
    importKey,
    'By what members are recognized: `external_id` (default), `email`, `card_uid` or `metadata.<key>`.',
  ),
  source: optional(text(255), 'Where the rows come from, stored as `metadata.source`. Required for `sync`.'),
  max_deletes: optional(
    maxDeletes,
    'Required for `sync`: the most members that it may delete, as a number or as a percentage of those of its source. More would be deleted: it fails, and nothing is done.',
  ),
  mapping: optional(
    mapping,
    'What columns of the file mean: `{"Karte": "card_uid"}`. Null passes a column over. Columns that are not named here are matched by their names.',
  ),
  defaults: optional(defaults, 'Values for empty cells.'),
  timezone: optional(
    timezone,
    'Of times without an offset. Defaults to the zone of the sites, if they have only one.',
  ),
  on_row_error: optional(
    choice(...rowErrorWays),
    '`skip` (default): goes on with the next row. `stop`: what is done stays. `rollback`: all rows or none, at most 5,000.',
  ),
  dry_run: optional(
    flag,
    'True: changes nothing, and waits for its start with `diff.ndjson` and `errors.csv`.',
  ),
  file_name: nullable(text(255), 'The name of the file, for people.'),
}

type Given = Shape<typeof importSettingParts>
export type ImportSettings = Omit<Given, 'file_name'> &
  Required<Pick<Given, 'kind' | 'mode' | 'key' | 'on_row_error' | 'dry_run'>> & {
    readonly file_name: string | null
  }

/** Completes settings with their defaults. Throws if they contradict each other. */
export function settleImport(given: Given): ImportSettings {
  const {
    kind = 'members',
    mode = 'upsert',
    key = 'external_id',
    on_row_error = 'skip',
    dry_run = false,
  } = given
  if (mode === 'sync') {
    if (kind !== 'members') throw invalid('mode', `mode sync is for members, not for ${kind}`)
    for (const name of ['source', 'max_deletes'] as const)
      if (given[name] === undefined) throw invalid(name, `${name} is required with mode sync`)
    if (on_row_error === 'rollback')
      throw invalid('on_row_error', 'mode sync cannot be rolled back; use undo')
  } else if (given.max_deletes !== undefined)
    throw invalid('max_deletes', 'max_deletes is for mode sync only')
  if (kind !== 'members')
    for (const name of ['key', 'source'] as const)
      if (given[name] !== undefined) throw invalid(name, `${name} is for members, not for ${kind}`)
  for (const [name, target] of Object.entries(given.mapping ?? {}))
    if (target !== null && !isTarget(kind, target))
      throw invalid(`mapping.${name}`, `mapping: ${kind} have no column ${JSON.stringify(target)}`)
  return { ...given, kind, mode, key, on_row_error, dry_run, file_name: given.file_name ?? null }
}
