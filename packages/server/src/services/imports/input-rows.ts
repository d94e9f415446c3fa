import { randomFillSync } from 'node:crypto'
import { readTable, type SourceRow, Survey, type TableReader } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { Slices } from '../../flow/gaps.ts'
import { Slots } from '../../flow/slots.ts'
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

/** What a survey can hold without waiting for a place: that of a usual file. */
const fewValues = 100_000
/** Surveys that hold more: at once, and of one organization. */
const large = new Slots(2, 1)

/** Reads the whole input once, for what has to be known before its first row can be. */
export async function surveyInput(
  db: Database,
  of: DataOf,
  told: Told,
): Promise<{ survey: Survey; table: TableReader }> {
  const input = new InputRows(db, of, told)
  const [one, two] = randomFillSync(new Uint32Array(2))
  const survey = new Survey(told.import, [one as number, two as number])
  const add = async (most: number) => {
    for (let row = await input.next(); row; row = await input.next()) {
      survey.add(row)
      if (survey.held > most) return false
    }
    return true
  }
  if (!(await add(fewValues))) await large.pass(of.organization_id, () => add(Number.POSITIVE_INFINITY))
  survey.end()
  return { survey, table: input.table }
}
