import type { Exchange } from './exchange.ts'
import { malformed } from './wire/errors.ts'
import { back } from './wire/messages.ts'
import { readText } from './wire/reader.ts'
import { readColumns, readRow, readTypes } from './wire/rows.ts'

/** Largest total size of the rows of one response, in bytes. More would not fit in memory anyway. */
const longestAnswer = 1024 ** 3

/** Consumes one message of a response. Returns false if the message is not part of a response. */
export function takePart(
  exchange: Exchange,
  type: number,
  data: Buffer,
  start: number,
  end: number,
): boolean {
  switch (type) {
    case back.dataRow:
      takeRow(exchange, data, start, end)
      return true
    case back.commandComplete:
      exchange.tag = readText(data, start, end)
      exchange.completions++
      return true
    case back.emptyQuery:
      exchange.completions++
      return true
    case back.copyData:
      exchange.statement.copy?.onData?.(data.subarray(start, end))
      return exchange.statement.copy?.onData !== undefined
    case back.copyIn:
      exchange.statement.copy?.onIn?.()
      return exchange.statement.copy?.onIn !== undefined
    case back.copyOut:
    case back.copyDone:
      return exchange.statement.copy?.onData !== undefined
    case back.bindComplete:
    case back.closeComplete:
      return true
    case back.parseComplete:
      if (exchange.prepared && exchange.parsesBefore-- === 0) exchange.prepared.isReady = true
      return true
    case back.rowDescription:
      setColumns(exchange, readColumns(data, start, end))
      return true
    case back.noData:
      setColumns(exchange, [])
      return true
    case back.parameterDescription:
      if (!exchange.isInquiry) return false
      exchange.statement.shape.types = readTypes(data, start, end)
      exchange.completions++
      return true
    default:
      return false
  }
}

function takeRow(exchange: Exchange, data: Buffer, start: number, end: number): void {
  if (!exchange.columns) throw malformed('a row came before its columns')
  exchange.bytes += end - start
  if (exchange.bytes > longestAnswer) throw malformed(`an answer has more than ${longestAnswer} bytes`)
  exchange.rows.push(readRow(data, start, end, exchange.columns))
}

function setColumns(exchange: Exchange, columns: NonNullable<Exchange['columns']>): void {
  if (exchange.isInquiry) return
  exchange.columns = columns
  exchange.rows = []
  if (exchange.prepared) exchange.prepared.columns = columns
}

/** Whether the response is complete: the statement ran or was described, after its BEGIN if it has one. */
export function isWhole({ statement, completions, error }: Exchange): boolean {
  return error !== undefined || completions >= (statement.begins ? 2 : 1)
}
