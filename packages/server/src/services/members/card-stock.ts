import { RequestError, resources } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { newId } from '../../store/ids.ts'
import type { Context } from '../objects/context.ts'

const columns = ['id', 'uid', 'printed_code'] as const
type Column = (typeof columns)[number]

/** One card of the operator's list. An empty text counts as absent. */
export type StockRow = { readonly line: number } & { readonly [C in Column]?: string | undefined }
export interface RowError {
  readonly line: number
  readonly message: string
}

type StockCard = { readonly line: number } & { [C in Column]: string | null }

/** Adds all cards to the operator's stock, or none of them if it returns errors. */
export async function importCards(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  rows: readonly StockRow[],
): Promise<RowError[]> {
  const errors: RowError[] = []
  const cards = rows.flatMap(row => readCard(row, errors))
  errors.push(...repeats(cards))
  return db.transaction(async inner => {
    // Blocks other imports between the check and the insert.
    await inner.query('LOCK TABLE card_stock IN SHARE ROW EXCLUSIVE MODE')
    for (const column of columns) errors.push(...(await alreadyStocked(inner, cards, column)))
    if (errors.length === 0) await insertCards(inner, cards, clock.now())
    return errors.sort((a, b) => a.line - b.line)
  })
}

function readCard(row: StockRow, errors: RowError[]): StockCard[] {
  try {
    const [id, uid, printed_code] = columns.map(column => readColumn(column, row[column]))
    if (!uid && !printed_code)
      throw new RequestError('invalid_request', 'give at least one of uid and printed_code')
    return [{ line: row.line, id: id ?? null, uid: uid ?? null, printed_code: printed_code ?? null }]
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    errors.push({ line: row.line, message: error.message })
    return []
  }
}

function readColumn(column: Column, text: string | undefined): string | undefined {
  return text ? (resources.card.fields[column].type.parse(text, column) ?? undefined) : undefined
}

function repeats(cards: readonly StockCard[]): RowError[] {
  return columns.flatMap(column => {
    const first = new Map<string, number>()
    return cards.flatMap(({ line, [column]: value }) => {
      const before = value === null ? undefined : first.get(value)
      if (value !== null && before === undefined) first.set(value, line)
      return before === undefined
        ? []
        : [{ line, message: `${column} ${value} is already in line ${before}` }]
    })
  })
}

async function alreadyStocked(
  db: Database,
  cards: readonly StockCard[],
  column: Column,
): Promise<RowError[]> {
  const values = cards.map(card => card[column]).filter(value => value !== null)
  const found = await db.query<{ value: string }>(
    `SELECT ${column} AS value FROM card_stock WHERE ${column} = ANY($1::text[])`,
    [values],
  )
  const known = new Set(found.map(({ value }) => value))
  return cards
    .filter(card => card[column] !== null && known.has(card[column]))
    .map(({ line, [column]: value }) => ({ line, message: `${column} ${value} is already in the stock` }))
}

async function insertCards(db: Database, cards: readonly StockCard[], now: string): Promise<void> {
  const rows = cards.map(card => ({ ...card, id: card.id ?? newId('card', now) }))
  await db.query(
    `INSERT INTO card_stock (id, uid, printed_code, created_at)
     SELECT id, uid, printed_code, $2 FROM jsonb_to_recordset($1::jsonb) AS c(id text, uid text, printed_code text)`,
    [rows, now],
  )
}
