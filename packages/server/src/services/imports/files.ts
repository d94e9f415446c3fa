import { cleared, type MatchedHead, type SourceRow } from '@gatehouse-access/api'
import { csvLine, csvRecord, withApostrophe, withoutApostrophe } from '@gatehouse-access/core'
import type { FileKind, FilePart } from '../jobs/job-type.ts'
import type { RowResult } from './rows/row-result.ts'

export const errorsFile: FileKind = { name: 'errors.csv', media_type: 'text/csv' }
export const diffFile: FileKind = { name: 'diff.ndjson', media_type: 'application/x-ndjson' }
/** What earlier rows leave for later ones, for the job itself. */
export const foreseenFile = 'foreseen'
export const resultsFile: FileKind = { name: 'results.csv', media_type: 'text/csv', is_secret: true }

export function part({ name }: FileKind, text: string): FilePart[] {
  return text === '' ? [] : [{ name, bytes: Buffer.from(text) }]
}

/** The file of errors: the rows as they were sent, so that one can correct them there and send it again. */
export class ErrorLines {
  readonly #columns: readonly string[]
  readonly #pin: number

  constructor(columns: readonly string[], head: MatchedHead | undefined) {
    this.#columns = columns
    this.#pin = head?.targets.indexOf('pin') ?? -1
  }

  get head(): string {
    return csvLine([...this.#columns, 'line', 'column', 'problem'])
  }

  line(source: SourceRow, problems: RowResult['problems']): string {
    const cells = this.#columns.map((_, index) => this.#cell(source, index))
    const columns = [...new Set(problems.map(({ column }) => column).filter(column => column !== ''))]
    const told = [columns.join('; '), problems.map(({ problem }) => problem).join('; ')]
    return csvRecord([...cells, String(source.line), ...told.map(withApostrophe)])
  }

  /** The file is read by more people than a PIN is for. In a row whose cells are not certain, it may be in any of them. */
  #cell({ written, problems }: SourceRow, index: number): string {
    const cell = written[index] ?? ''
    const mayBePin = this.#pin >= 0 && problems.length > 0 && /^\s*\d{4,20}\s*$|[\r\n]/.test(cell)
    return index === this.#pin || mayBePin ? '' : protectedCell(cell)
  }
}

/** A cell that means the same when the file is sent again: what clears stays so, and one apostrophe is enough. */
function protectedCell(written: string): string {
  return written === cleared ? written : withApostrophe(withoutApostrophe(written))
}

export const resultsHead = csvLine(['line', 'external_id', 'name', 'member_id', 'pin', 'link'])

export function resultLine({ source, object_id, secrets }: RowResult): string {
  if (!secrets || (secrets.pin === undefined && secrets.link === undefined)) return ''
  const external_id = source.cells.get('external_id')
  return csvLine([source.line, external_id, secrets.name, object_id, secrets.pin, secrets.link])
}
