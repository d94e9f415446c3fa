import { invalid } from '@gatehouse-access/api'

/** A position in the feed: everything up to and including it has been read. */
export interface Position {
  readonly epoch: number
  readonly transaction_id: string
  readonly sequence: string
}

/**
 * Whether an event lies behind a position, in SQL. Not written with `>`: PostgreSQL guesses by the first column alone how many match,
 * and as nearly all are of one epoch, takes it for none. It then reads and sorts all that are left, to return a hundred.
 */
export const isLater = '(t.epoch, t.transaction_id, t.sequence) >= ($1::integer, $2::xid8, $3::bigint + 1)'

const start: Position = { epoch: 0, transaction_id: '0', sequence: '0' }
const pattern = /^(\d{1,9})\.(\d{1,19})\.(\d{1,18})$/

export function formatPosition({ epoch, transaction_id, sequence }: Position): string {
  return `${epoch}.${transaction_id}.${sequence}`
}

export function parsePosition(text: string | undefined): Position {
  if (text === undefined) return start
  const [, epoch, transaction_id, sequence] = pattern.exec(text) ?? []
  if (epoch === undefined || transaction_id === undefined || sequence === undefined)
    throw invalid('after', 'after must be a cursor of the event feed')
  return { epoch: Number(epoch), transaction_id, sequence }
}

/** Returns less than, equal to or more than zero if `a` comes before, at or after `b` in the feed. */
export function comparePositions(a: string, b: string): number {
  const [left, right] = [parsePosition(a), parsePosition(b)]
  return (
    left.epoch - right.epoch ||
    compareNumbers(left.transaction_id, right.transaction_id) ||
    compareNumbers(left.sequence, right.sequence)
  )
}

/** Compares whole numbers as text: by the number of digits, then alphabetically. */
function compareNumbers(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}
