import { CsvReader, type CsvRecord, longestRecord } from '@gatehouse-access/core'
import type { TargetColumn } from './columns.ts'
import { metadataText, parseObject, textOf } from './json-cells.ts'
import { type MatchedHead, matchHead } from './match-head.ts'
import type { RowProblem } from './problems.ts'
import { type ImportSettings, mostImportColumns } from './settings.ts'
import type { SourceRow } from './source-row.ts'
import { spreadMetadata } from './spread-metadata.ts'

export type TableFormat = 'csv' | 'ndjson'

type Settings = Pick<ImportSettings, 'kind' | 'mapping'>

/** Reads the rows of a file, piece by piece. Holds no more than a piece and a row. */
export interface TableReader {
  read(piece: string): Generator<SourceRow, void, undefined>
  end(): Generator<SourceRow, void, undefined>
  /** The columns found so far, as the file calls them. */
  readonly columns: readonly string[]
  /** What they mean. Undefined while no column was found. */
  readonly head: MatchedHead | undefined
}

export function readTable(format: TableFormat, settings: Settings): TableReader {
  return format === 'csv' ? new CsvTable(settings) : new LineTable(settings)
}

const quoteProblem: RowProblem = {
  column: '',
  problem:
    'The row has a quote that is not closed, or that something follows. Write quotes inside of a cell twice',
}
const lengthProblem: RowProblem = {
  column: '',
  problem: `The row is longer than ${longestRecord} characters. A quote may not be closed`,
}

class CsvTable implements TableReader {
  columns: readonly string[] = []
  head: MatchedHead | undefined
  #names: ReadonlyMap<TargetColumn, string> = new Map()
  readonly #settings: Settings
  readonly #reader = new CsvReader()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  *read(piece: string): Generator<SourceRow, void, undefined> {
    for (const record of this.#reader.read(piece)) yield* this.#take(record)
  }

  *end(): Generator<SourceRow, void, undefined> {
    for (const record of this.#reader.end()) yield* this.#take(record)
  }

  *#take({ line, cells: written, problem }: CsvRecord): Generator<SourceRow, void, undefined> {
    if (!this.head) return namesDelimiter(written) ? undefined : this.#begin(written)
    const cells = new Map<TargetColumn, string>()
    for (const [index, target] of this.head.targets.entries()) {
      const cell = written[index] ?? ''
      if (target !== null && cell.trim() !== '') cells.set(target, cell)
    }
    const problems = problem
      ? [problem === 'too_long' ? lengthProblem : quoteProblem]
      : countCells(this.columns.length, written.length)
    yield spreadMetadata({ line, cells, names: this.#names, written, problems })
  }

  /** The rest of too many columns is not looked at: the file is refused anyway. */
  #begin(whole: readonly string[]): void {
    const head = whole.slice(0, mostImportColumns + 1)
    this.columns = head
    this.head = matchHead(this.#settings.kind, head, this.#settings.mapping)
    this.#names = namesOf(head, this.head)
  }
}

/** Some programs write `sep=;` above the head line. */
function namesDelimiter([first = '', ...others]: readonly string[]): boolean {
  return first.toLowerCase() === 'sep=' && others.every(cell => cell === '')
}

function countCells(wanted: number, found: number): RowProblem[] {
  if (wanted === found) return []
  const what = found > wanted ? 'more' : 'fewer'
  return [
    {
      column: '',
      problem: `The row has ${found} cells, ${what} than the ${wanted} columns of the head line`,
    },
  ]
}

function namesOf(head: readonly string[], { targets }: MatchedHead): ReadonlyMap<TargetColumn, string> {
  return new Map(targets.flatMap((target, index) => (target ? [[target, head[index] ?? ''] as const] : [])))
}

/** One JSON object per line. Columns are found as they come, and each is matched once. */
class LineTable implements TableReader {
  readonly columns: string[] = []
  readonly #targets = new Map<string, TargetColumn | null>()
  readonly #unknown: string[] = []
  readonly #repeated: string[] = []
  readonly #names = new Map<TargetColumn, string>()
  readonly #settings: Settings
  #text = ''
  #line = 0
  #isLost = false

  constructor(settings: Settings) {
    this.#settings = settings
  }

  get head(): MatchedHead | undefined {
    if (this.columns.length === 0) return undefined
    const targets = this.columns.map(name => this.#targets.get(name) ?? null)
    return { targets, unknown: this.#unknown, repeated: this.#repeated, is_day_first: false }
  }

  *read(piece: string): Generator<SourceRow, void, undefined> {
    const lines = (this.#text + piece).split('\n')
    this.#text = lines.pop() ?? ''
    for (const line of lines) yield* this.#take(line)
    if (this.#text.length <= longestRecord) return
    if (!this.#isLost) yield this.#spoiled(this.#line + 1, lengthProblem)
    this.#isLost = true
    this.#text = ''
  }

  *end(): Generator<SourceRow, void, undefined> {
    const last = this.#text
    this.#text = ''
    yield* this.#take(last)
  }

  *#take(text: string): Generator<SourceRow, void, undefined> {
    const line = ++this.#line
    if (this.#isLost || text.trim() === '') {
      this.#isLost = false
      return
    }
    const object = parseObject(line === 1 ? text.replace(/^\uFEFF/, '') : text)
    if (!object) {
      yield this.#spoiled(line, { column: '', problem: 'The line is not a JSON object' })
      return
    }
    const cells = new Map<TargetColumn, string>()
    const texts = new Map<string, string>()
    for (const [name, text] of textsOf(object)) {
      const target = this.#targetOf(name)
      texts.set(name, text)
      if (target && text.trim() !== '') cells.set(target, text)
    }
    yield spreadMetadata({
      line,
      cells,
      names: this.#names,
      written: this.columns.map(name => texts.get(name) ?? ''),
      problems: [],
    })
  }

  #spoiled(line: number, problem: RowProblem): SourceRow {
    return { line, cells: new Map(), names: this.#names, written: [], problems: [problem] }
  }

  #targetOf(name: string): TargetColumn | null {
    const known = this.#targets.get(name)
    if (known !== undefined) return known
    // The rest of too many columns is not kept: the file is refused anyway.
    if (this.columns.length > mostImportColumns) return null
    const { targets, unknown } = matchHead(this.#settings.kind, [name], this.#settings.mapping)
    const target = targets[0] ?? null
    this.columns.push(name)
    this.#targets.set(name, target)
    this.#unknown.push(...unknown)
    if (target && this.#names.has(target)) this.#repeated.push(name)
    else if (target) this.#names.set(target, name)
    return target
  }
}

/** Values as cells would say them: lists with semicolons, null as what clears. */
function* textsOf(object: Record<string, unknown>): Generator<[string, string], void, undefined> {
  for (const [name, value] of Object.entries(object))
    if (name === 'metadata' && typeof value === 'object' && value !== null)
      for (const [key, held] of Object.entries(value)) yield [`metadata.${key}`, metadataText(held)]
    else yield [name, textOf(value)]
}
