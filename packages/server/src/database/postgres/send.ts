import { type Exchange, isSimple, type Statement } from './exchange.ts'
import type { Prepared, PreparedStatements } from './prepared.ts'
import type { Shape } from './wire/shapes.ts'
import { serialize } from './wire/types.ts'
import {
  type Value,
  writeClose,
  writeDescribe,
  writeParse,
  writeQuery,
  writeRun,
  writeSync,
} from './wire/write-statement.ts'
import type { WireWriter } from './wire/writer.ts'

interface Sender {
  readonly out: WireWriter
  readonly prepared: PreparedStatements
}

/**
 * Writes a statement up to its Sync. If its parameter types are unknown, only asks for them. The values are
 * written once the types are known, so that arrays and objects are always serialized for the right type.
 */
export function sendExchange(sender: Sender, statement: Statement): Exchange {
  if (isSimple(statement)) return sendText(sender, statement)
  return statement.shape.types
    ? sendRun(sender, statement, statement.shape.types)
    : sendInquiry(sender, statement)
}

function sendText({ out }: Sender, statement: Statement): Exchange {
  writeQuery(out, statement.begins ? `BEGIN;${statement.shape.text}` : statement.shape.text)
  return exchangeOf(statement, false)
}

function sendInquiry({ out }: Sender, statement: Statement): Exchange {
  if (statement.begins) writeBegin(out)
  writeParse(out, '', statement.shape.text, statement.shape.declared)
  writeDescribe(out, '')
  writeSync(out)
  return exchangeOf(statement, true)
}

function sendRun({ out, prepared }: Sender, statement: Statement, types: readonly number[]): Exchange {
  const { shape, params } = statement
  const values = params.map((value, index) => serialize(value, types[index] ?? 0))
  if (statement.begins) writeBegin(out)
  const kept = statement.mayPrepare ? keep(out, prepared, shape) : undefined
  if (!kept) writeParse(out, '', shape.text, shape.declared)
  writeRun(out, kept?.name ?? '', values as Value[], kept?.columns === undefined)
  writeSync(out)
  return exchangeOf(statement, false, kept)
}

/**
 * Returns the prepared statement to run, or undefined to run the text unprepared. A shape not seen recently
 * may never come again, so it is not prepared.
 */
function keep(out: WireWriter, prepared: PreparedStatements, shape: Shape): Prepared | undefined {
  const known = prepared.find(shape)
  // PostgreSQL may still reject the Parse.
  if (known) return known.isReady ? known : undefined
  const names = shape.uses > 1 ? prepared.makeRoom() : undefined
  if (!names) return undefined
  for (const name of names) writeClose(out, name)
  const added = prepared.add(shape)
  writeParse(out, added.name, shape.text, shape.declared)
  return added
}

/** Writes BEGIN without a Sync: if it fails, PostgreSQL skips what follows instead of running it. */
function writeBegin(out: WireWriter): void {
  writeParse(out, '', 'BEGIN', [])
  writeRun(out, '', [], false)
}

function exchangeOf(statement: Statement, isInquiry: boolean, prepared?: Prepared): Exchange {
  return {
    statement,
    isInquiry,
    prepared,
    parsesBefore: statement.begins ? 1 : 0,
    columns: prepared?.columns,
    rows: [],
    bytes: 0,
    tag: '',
    completions: 0,
    error: undefined,
  }
}
