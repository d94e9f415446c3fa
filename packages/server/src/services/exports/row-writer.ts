import {
  type ExportFormat,
  invalid,
  isAnswered,
  mostColumns,
  nobody,
  objectIdFields,
  type Resource,
  resources,
  valueAt,
} from '@gatehouse-access/api'
import { csvLine, type Steps } from '@gatehouse-access/core'
import type { Database, Row } from '../../database/db.ts'
import type { Reach } from '../../store/where.ts'
import type { ExportPlan } from './export-plan.ts'
import {
  type Ambiguous,
  addMemberCells,
  findAmbiguous,
  memberColumns,
  plainMemberColumns,
} from './member-cells.ts'

/** Characters that are sent or stored at once. */
const atOnce = 256 * 1024

/** Writes rows of an export. Holds nothing but its columns. */
export class RowWriter {
  readonly #reach: Reach
  readonly #format: ExportFormat
  /** Undefined: rows as the API answers them. */
  readonly #columns: readonly string[] | undefined
  readonly #ambiguous: Ambiguous | undefined

  private constructor(
    { format }: ExportPlan,
    reach: Reach,
    columns: readonly string[] | undefined,
    ambiguous: Ambiguous | undefined,
  ) {
    this.#reach = reach
    this.#format = format
    this.#columns = columns
    this.#ambiguous = ambiguous
  }

  /** Looks up what the columns are. */
  static async open(db: Database, plan: ExportPlan, reach: Reach): Promise<RowWriter> {
    const { resource, format, columns } = plan
    const chosen = columns ?? (format === 'csv' ? await allColumns(db, plan, reach) : undefined)
    const isAbout = chosen?.some(column => memberColumns.some(name => name === column))
    const needed = resource === resources.member && isAbout
    return new RowWriter(
      plan,
      reach,
      chosen,
      needed ? await findAmbiguous(db, reach.organization_id) : undefined,
    )
  }

  get head(): string {
    return this.#format === 'csv' ? csvLine(this.#columns ?? []) : ''
  }

  /** Adds to rows what only exports tell. Before anything is expanded, which may have the same names. */
  async complete(db: Database, rows: readonly Row[]): Promise<void> {
    if (this.#ambiguous && rows.length > 0)
      await addMemberCells(db, this.#reach.organization_id, rows, this.#ambiguous)
  }

  /** Returns pieces of a bounded size: the rows of a page may have grown to many megabytes. */
  *write(rows: readonly Row[]): Steps<string[]> {
    const pieces: string[] = []
    let text = ''
    for (const row of rows) {
      text += this.#line(row)
      if (text.length >= atOnce) {
        pieces.push(text)
        text = ''
      }
      yield
    }
    return [...pieces, text]
  }

  #line(row: Row): string {
    const columns = this.#columns
    if (!columns) return `${JSON.stringify(row)}\n`
    if (this.#format === 'csv') return csvLine(columns.map(column => cellOf(valueAt(row, column))))
    return `${JSON.stringify(Object.fromEntries(columns.map(column => [column, valueAt(row, column) ?? null])))}\n`
  }
}

/** Several values are separated by semicolons, and what has parts is JSON. */
function cellOf(value: unknown): unknown {
  if (Array.isArray(value) && value.every(one => typeof one !== 'object' || one === null))
    return value.join(';')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

async function allColumns(db: Database, plan: ExportPlan, reach: Reach): Promise<string[]> {
  const { resource, query } = plan
  if (resource === resources.event) return [...eventColumns]
  const expands = Object.keys(query.expand)
  const keys = resource.fields.metadata ? await metadataKeys(db, resource, reach) : []
  return [...fieldsOf(resource), ...keys.map(key => `metadata.${key}`), ...expands]
}

function fieldsOf(resource: Resource): readonly string[] {
  if (resource === resources.member) return plainMemberColumns
  return Object.entries(resource.fields)
    .filter(([name, field]) => isAnswered(field) && name !== 'metadata' && name !== 'organization_id')
    .map(([name]) => name)
}

async function metadataKeys(
  db: Database,
  { table }: Resource,
  { organization_id }: Reach,
): Promise<string[]> {
  const rows = await db.query<{ key: string }>(
    `SELECT DISTINCT key FROM ${table} t, jsonb_object_keys(t.metadata) AS key WHERE t.organization_id = $1 LIMIT ${mostColumns + 1}`,
    [organization_id],
  )
  if (rows.length > mostColumns)
    throw invalid(
      'columns',
      `there are more than ${mostColumns} keys of metadata: name the columns, or take ndjson`,
    )
  return rows.map(({ key }) => key).sort()
}

/** All scalar values of an event, by path. */
const eventColumns = [
  'id',
  'created_at',
  'recorded_at',
  'verb',
  'object.type',
  ...objectIdFields.map(name => `object.${name}`),
  'object.reason',
  ...Object.keys(nobody)
    .filter(name => name !== 'client')
    .map(name => `subject.${name}`),
  'subject.client.user_agent',
  'clock_adjusted',
]
