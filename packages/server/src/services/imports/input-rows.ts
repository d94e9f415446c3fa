import { readTable, type SourceRow, Survey, type TableReader } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { Slices } from '../../flow/gaps.ts'
import { type DataOf, readInput } from '../jobs/job-data.ts'
import type { StoredImport } from './stored-import.ts'

type Told = Pick<StoredImport, 'import' | 'format' | 'encoding'>

/** Reads the rows of an input from its beginning. Holds one chunk of it. */
export class InputRows {
  readonly table: TableReader
  readonly #rows: AsyncGenerator<SourceRow, void, undefined>

  constructor(db: Database, of: DataOf, told: Told) {
    this.table = readTable(told.format, told.import)
    this.#rows = readRows(db, of, this.table, new TextDecoder(told.encoding))
  }

  async next(): Promise<SourceRow | undefined> {
    const { value, done } = await this.#rows.next()
    return done ? undefined : value
  }

  all(): AsyncGenerator<SourceRow, void, undefined> {
    return this.#rows
  }
}

async function* readRows(
  db: Database,
  of: DataOf,
  table: TableReader,
  decoder: TextDecoder,
): AsyncGenerator<SourceRow, void, undefined> {
  const slices = new Slices()
  for (let number = 0; ; number++) {
    const chunk = await readInput(db, of, number)
    if (!chunk) break
    for (const row of table.read(decoder.decode(chunk, { stream: true }))) {
      if (slices.isOver) await slices.next()
      yield row
    }
  }
  yield* table.read(decoder.decode())
  yield* table.end()
}

/** Reads the whole input once, for what has to be known before its first row can be. */
export async function surveyInput(
  db: Database,
  of: DataOf,
  told: Told,
): Promise<{ survey: Survey; table: TableReader }> {
  const input = new InputRows(db, of, told)
  const survey = new Survey(told.import)
  for await (const row of input.all()) survey.add(row)
  return { survey, table: input.table }
}
