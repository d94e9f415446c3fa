import { invalid } from '@gatehouse/api'

/** A place in the feed: everything up to and including it has been read. */
export interface Position {
  readonly epoch: number
  readonly transaction_id: string
  readonly sequence: string
}

const start: Position = { epoch: 0, transaction_id: '0', sequence: '0' }
const pattern = /^(\d{1,9})\.(\d{1,19})\.(\d{1,18})$/

export function formatPosition({ epoch, transaction_id, sequence }: Position): string {
  return `${epoch}.${transaction_id}.${sequence}`
}

export function parsePosition(text: string | undefined): Position {
  if (text === undefined) return start
  const match = pattern.exec(text)
  if (!match) throw invalid('after', 'after must be a cursor of the event feed')
  return { epoch: Number(match[1]), transaction_id: match[2] as string, sequence: match[3] as string }
}
