import type { GrantBody } from '@gatehouse-access/api'
import { CsvError, type CsvRecord, parseCsv } from '@gatehouse-access/core'

/** The columns with a meaning. Every other column becomes metadata. */
export const knownColumns = ['name', 'starts_at', 'ends_at', 'email', 'groups', 'pin', 'external_id'] as const

export interface ImportRow {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
  readonly body: GrantBody
  /** The errors of the row. A row with errors is not imported. */
  readonly problems: readonly string[]
}

export interface ImportFile {
  readonly columns: readonly string[]
  readonly rows: readonly ImportRow[]
  /** An error of the whole file. */
  readonly problem?: string
}

const mostRows = 10_000

/** Reads a CSV file with a header line. `groupIds` maps group names in lower case to ids. */
export function readImport(text: string, groupIds: ReadonlyMap<string, string>, zone: string): ImportFile {
  const found = read(text)
  if (found instanceof CsvError) return { columns: [], rows: [], problem: `In this file, ${found.message}.` }
  const [head, ...records] = found
  const columns = head?.cells ?? []
  const problem = findFileProblem(columns, records.length)
  if (problem) return { columns, rows: [], problem }
  const rows = records.map(({ line, cells }) => readRow(line, columns, cells, groupIds, zone))
  return { columns, rows: withoutRepeats(rows) }
}

function read(text: string): CsvRecord[] | CsvError {
  try {
    return parseCsv(text)
  } catch (error) {
    if (error instanceof CsvError) return error
    throw error
  }
}

function findFileProblem(columns: readonly string[], count: number): string | undefined {
  if (count === 0) return 'The file has no rows below the header line.'
  if (count > mostRows) return `The file has ${count} rows; at most ${mostRows} can be imported at once.`
  const lower = columns.map(name => name.toLowerCase())
  if (!lower.includes('name'))
    return `The first line must name the columns, including “name”. It contains: ${columns.join(', ')}.`
  const twice = lower.find((name, index) => name !== '' && lower.indexOf(name) !== index)
  return twice ? `The column “${twice}” appears twice.` : undefined
}

function readRow(
  line: number,
  columns: readonly string[],
  values: readonly string[],
  groupIds: ReadonlyMap<string, string>,
  zone: string,
): ImportRow {
  const problems: string[] = []
  const cells = Object.fromEntries(columns.map((name, index) => [keyOf(name), (values[index] ?? '').trim()]))
  const names = (cells.groups ?? '')
    .split(/[;|]/)
    .map(name => name.trim())
    .filter(Boolean)
  const member_group_ids = names.flatMap(name => {
    const id = groupIds.get(name.toLowerCase())
    if (!id) problems.push(`No group is named “${name}”`)
    return id ? [id] : []
  })
  const moment = (name: 'starts_at' | 'ends_at') => readMoment(cells[name] ?? '', name, zone, problems)
  const [starts_at, ends_at] = [moment('starts_at'), moment('ends_at')]
  if (starts_at && ends_at && ends_at <= starts_at) problems.push('ends_at must be after starts_at')
  if (!cells.name) problems.push('The name is missing')
  if (cells.email && !/^[^\s@]+@[^\s@]+$/.test(cells.email))
    problems.push(`“${cells.email}” is not an email address`)
  if (cells.pin && !/^(yes|true|\d{4,20})$/i.test(cells.pin))
    problems.push('pin must be 4 to 20 digits, or “yes”')
  return { line, cells, problems, body: bodyOf(cells, columns, { starts_at, ends_at, member_group_ids }) }
}

/** Known columns match in any case. Other columns keep their case, because they become metadata keys. */
function keyOf(column: string): string {
  const lower = column.toLowerCase()
  return (knownColumns as readonly string[]).includes(lower) ? lower : column
}

function readMoment(text: string, name: string, zone: string, problems: string[]): string | undefined {
  if (!text) return undefined
  try {
    if (/(Z|[+-]\d{2}:\d{2})$/i.test(text))
      return Temporal.Instant.from(text).toString({ fractionalSecondDigits: 6 })
    const local = Temporal.PlainDateTime.from(text.replace(' ', 'T'))
    return local.toZonedDateTime(zone).toInstant().toString({ fractionalSecondDigits: 6 })
  } catch {
    problems.push(`${name} “${text}” is not a time like 2026-11-14 15:00`)
    return undefined
  }
}

interface Read {
  readonly starts_at: string | undefined
  readonly ends_at: string | undefined
  readonly member_group_ids: string[]
}

function bodyOf(cells: Record<string, string>, columns: readonly string[], read: Read): GrantBody {
  const { name, email, pin, external_id } = cells
  const extra = columns.filter(
    column => column && !(knownColumns as readonly string[]).includes(column.toLowerCase()),
  )
  const metadata = Object.fromEntries(extra.flatMap(key => (cells[key] ? [[key, cells[key]]] : [])))
  const { starts_at, ends_at, member_group_ids } = read
  return {
    ...(external_id && { external_id }),
    member: { name: name || null, ...(starts_at && { starts_at }), ...(ends_at && { ends_at }), metadata },
    member_group_ids: [...new Set(member_group_ids)],
    credentials: {
      ...(email && { emails: [email] }),
      ...(pin && { pin: /^\d+$/.test(pin) ? { pin } : {} }),
    },
  }
}

/** Rejects repeated external ids and PINs, because one row would overwrite another. */
function withoutRepeats(rows: readonly ImportRow[]): ImportRow[] {
  const seen = new Map<string, number>()
  return rows.map(row => {
    const repeated = (['external_id', 'pin'] as const).flatMap(name => {
      const value = row.cells[name]
      if (!value || (name === 'pin' && !/^\d+$/.test(value))) return []
      const first = seen.get(`${name} ${value}`)
      if (first === undefined) seen.set(`${name} ${value}`, row.line)
      return first === undefined ? [] : [`${name} is the same as in line ${first}`]
    })
    return repeated.length > 0 ? { ...row, problems: [...row.problems, ...repeated] } : row
  })
}
