import type { MetadataChange } from '../kit/compounds.ts'
import { localDate } from '../kit/local-date.ts'
import { choice, localId, nameText, reference, text } from '../kit/scalars.ts'
import type { Kind } from '../prefixes.ts'
import { recurrences } from '../resources/calendar-day.ts'
import { printedCode, uid } from '../resources/card.ts'
import { readAs, readDate, readFlag, readTime, refuseBrokenNumber } from './cells.ts'
import { type ImportKind, metadataKey, type TargetColumn } from './columns.ts'
import { defaultCells, type RowReading } from './member-rows.ts'
import type { RowProblem } from './problems.ts'
import { CellReader, type SourceRow } from './source-row.ts'

export type ObjectImportKind = Exclude<ImportKind, 'members'>

/** The kind of object that rows are. */
export const importedKind = {
  cards: 'card',
  calendar_days: 'calendar_day',
  group_associations: 'member_group_association',
} as const satisfies Record<ObjectImportKind, Kind>

/** What a row says of an object other than a member. */
export interface ObjectRow {
  readonly line: number
  readonly id: string | undefined
  /** Fields that it sets. Null clears. */
  readonly values: { readonly [name: string]: unknown; readonly metadata?: MetadataChange }
  /** What it belongs to, as written: the name or ID. */
  readonly named: { readonly calendar?: string; readonly group?: string; readonly member?: string }
  readonly is_deleted: boolean | undefined
  readonly problems: readonly RowProblem[]
  readonly notices: readonly string[]
}

export function readObjectRow(kind: ObjectImportKind, row: SourceRow, reading: RowReading): ObjectRow {
  const cells = new CellReader(row, defaultCells(reading.settings))
  const notices: string[] = []
  const values = Object.fromEntries(
    Object.entries(readValues(kind, cells, reading, notices, row.line)).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const metadata = readMetadata(cells)
  const id = cells.take('id', written => readAs(reference(importedKind[kind]), written.trim())) ?? undefined
  const named = readNamed(kind, cells, id === undefined)
  return {
    line: row.line,
    id,
    values: { ...values, ...(metadata && { metadata }) },
    named,
    is_deleted: cells.take('is_deleted', written => readFlag(written.trim())) ?? undefined,
    problems: cells.problems,
    notices,
  }
}

function readValues(
  kind: ObjectImportKind,
  cells: CellReader,
  reading: RowReading,
  notices: string[],
  line: number,
): Record<string, unknown> {
  if (kind === 'cards')
    return {
      uid: cells.take('uid', written => {
        refuseBrokenNumber(written.trim())
        return readAs(uid, written.replaceAll(/[\s:-]/g, ''))
      }),
      printed_code: cells.take('printed_code', written => {
        refuseBrokenNumber(written.trim())
        return readAs(printedCode, written)
      }),
      name: cells.take('name', written => readAs(nameText, written)),
    }
  if (kind === 'calendar_days') return readDay(cells, reading)
  const time = (column: 'starts_at' | 'ends_at') =>
    cells.take(column, written => {
      const { at, is_twice } = readTime(written.trim(), column === 'starts_at' ? 'start' : 'end', reading)
      if (is_twice) notices.push(`Line ${line}: clocks show ${written.trim()} twice; the first is taken.`)
      return at
    })
  return { starts_at: time('starts_at'), ends_at: time('ends_at') }
}

function readDay(cells: CellReader, { is_day_first }: RowReading): Record<string, unknown> {
  const date = (column: 'starts_on' | 'ends_on') =>
    cells.take(column, written => readAs(localDate, readDate(written.trim(), written.trim(), is_day_first)))
  return {
    name: cells.take('name', written => readAs(nameText, written)),
    kind: cells.take('kind', written => readAs(localId, written.trim())) ?? undefined,
    starts_on: date('starts_on') ?? undefined,
    ends_on: date('ends_on'),
    recurrence:
      cells.take('recurrence', written => readAs(choice(...recurrences), written.trim())) ?? undefined,
    is_public: cells.take('is_public', written => readFlag(written.trim())) ?? undefined,
  }
}

const neededNames: Readonly<Record<ObjectImportKind, readonly ('calendar' | 'group' | 'member')[]>> = {
  cards: [],
  calendar_days: ['calendar'],
  group_associations: ['member', 'group'],
}

/** A row with an ID of its own need not say what it belongs to. */
function readNamed(kind: ObjectImportKind, cells: CellReader, isNeeded: boolean): ObjectRow['named'] {
  const found = neededNames[kind].map(
    column => [column, cells.take(column, written => written.trim())] as const,
  )
  for (const [column, value] of found)
    if (isNeeded && value === undefined && cells.problems.length === 0)
      cells.refuse(column, `The cell is empty: write the name or ID of the ${column}`)
  return Object.fromEntries(found.filter(([, value]) => typeof value === 'string'))
}

function readMetadata(cells: CellReader): MetadataChange | undefined {
  const entries = cells.metadata.flatMap((column: TargetColumn) => {
    const value = cells.take(column, written => readAs(text(1024), written))
    return value === undefined ? [] : [[metadataKey(column) ?? '', value] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
