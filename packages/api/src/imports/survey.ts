import { withoutApostrophe } from '@gatehouse-access/core'
import { invalid } from '../errors.ts'
import { mostInCell } from './cells.ts'
import type { ImportKind, TargetColumn } from './columns.ts'
import type { HashKey } from './keyed-hash.ts'
import { hasCertainKey } from './member-rows.ts'
import type { RowProblem } from './problems.ts'
import { SeenValues } from './seen-values.ts'
import type { ImportSettings } from './settings.ts'
import { cleared, type SourceRow } from './source-row.ts'

/** What no two rows of a file may share. */
const uniqueColumns: Readonly<Record<ImportKind, readonly TargetColumn[]>> = {
  members: ['id', 'external_id', 'pin', 'card_uid', 'card_printed_code'],
  cards: ['id', 'uid', 'printed_code'],
  calendar_days: ['id'],
  group_associations: ['id'],
}

/** Columns of members whose cells can hold several values. */
const listColumns: ReadonlySet<TargetColumn> = new Set(['email', 'card_uid', 'card_printed_code'])

/** Values of these columns in one file: they take about 35 MB while it is read. */
const mostHeld = 2_000_000
/** More than the columns of a kind that no two rows may share. */
const manyColumns = 16

/** What has to be known of all rows before the first of them can be read. */
export class Survey {
  rows = 0
  /** The digits of the longest PIN. */
  pin_length = 0
  /** The line of the last row. */
  last_line = 1
  /** Rows of a sync that may mean any member. */
  uncertain = 0
  /** Whether a time has no offset, so that a zone is needed. */
  needs_zone = false
  /** Whether a row names something by its ID. */
  has_ids = false
  /** Of a sync. */
  readonly #key: string | undefined
  readonly #unique: readonly TargetColumn[]
  readonly #hashKey: HashKey
  readonly #named: SeenValues
  #passing: SeenValues
  /** How many values are held. */
  held = 0
  /** By line: the first line with one of its values, and the place of its column among the unique ones. */
  readonly #repeats = new Map<number, number>()

  /** The key is random, so that nobody can make values that are slow to look up. */
  constructor({ kind, key, mode }: Pick<ImportSettings, 'kind' | 'key' | 'mode'>, hashKey: HashKey) {
    this.#hashKey = hashKey
    this.#named = new SeenValues(hashKey)
    this.#passing = new SeenValues(hashKey)
    this.#key = mode === 'sync' ? key : undefined
    const own = kind === 'members' && key !== 'external_id' ? [key as TargetColumn] : []
    this.#unique = [...new Set([...uniqueColumns[kind], ...own])]
  }

  add(row: SourceRow): void {
    this.rows++
    this.last_line = row.line
    this.has_ids ||= row.cells.has('id')
    if (this.#key !== undefined && !hasCertainKey(row, this.#key)) this.uncertain++
    this.needs_zone ||= lacksOffset(row.cells.get('starts_at')) || lacksOffset(row.cells.get('ends_at'))
    const pin = row.cells.get('pin')?.trim()
    if (pin !== undefined && /^[0-9]{4,20}$/.test(pin))
      this.pin_length = Math.max(this.pin_length, pin.length)
    for (const [place, column] of this.#unique.entries()) {
      const values = valuesIn(row, column)
      if (values.length > mostInCell) continue
      for (const value of values) this.#note(row.line, column, `${place}${value}`)
    }
  }

  #note(line: number, column: TargetColumn, value: string): void {
    const seen = this.#isNamed(column) ? this.#named : this.#passing
    const first = seen.note(value, line)
    if (first === line && ++this.held > mostHeld)
      throw invalid('', 'the file has too many values; split it into several')
    if (first !== line && !this.#repeats.has(line))
      this.#repeats.set(line, first * manyColumns + this.#unique.indexOf(column))
  }

  /** What a sync asks for in the end. */
  #isNamed(column: TargetColumn): boolean {
    return this.#key !== undefined && (column === 'id' || column === this.#key)
  }

  /** Frees what nobody asks for once all rows were added. */
  end(): void {
    this.#passing = new SeenValues(this.#hashKey)
  }

  /** Whether a row of a sync has this value as its ID or key. */
  names(column: string, value: string): boolean {
    const place = this.#unique.indexOf(column as TargetColumn)
    const held = comparable(column as TargetColumn, value)
    return place >= 0 && held !== '' && this.#named.has(`${place}${held}`)
  }

  /** Returns what is wrong with a row because of one before it. The value stays unsaid: it may be a PIN. */
  repeatOf({ line, names }: SourceRow): RowProblem | undefined {
    const repeat = this.#repeats.get(line)
    if (repeat === undefined) return undefined
    const column = this.#unique[repeat % manyColumns] as TargetColumn
    const first = Math.floor(repeat / manyColumns)
    return { column: names.get(column) ?? column, problem: `The value is the same as in line ${first}` }
  }
}

function lacksOffset(cell: string | undefined): boolean {
  return cell !== undefined && cell !== cleared && !/:.*(Z|[+-]\d{2}:?\d{2})$/i.test(cell.trim())
}

/** The values of a cell, as they are compared with others. They have to be read as when the row is imported. */
function valuesIn({ cells }: SourceRow, column: TargetColumn): string[] {
  const cell = cells.get(column)
  if (cell === undefined || cell === cleared) return []
  const text = withoutApostrophe(cell)
  const written = listColumns.has(column) ? text.split(';') : [text]
  return [...new Set(written.map(value => comparable(column, value)))].filter(value => value !== '')
}

/** Returns an empty text for what is compared with nothing. */
function comparable(column: TargetColumn, written: string): string {
  const value = written.trim()
  if (column === 'pin') return /^[0-9]+$/.test(value) ? value : ''
  if (column === 'email') return value.toLowerCase()
  if (column === 'card_uid' || column === 'uid') return value.replaceAll(/[\s:-]/g, '').toUpperCase()
  return value
}
