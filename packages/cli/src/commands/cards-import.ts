import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { CsvError, parseCsv } from '@gatehouse-access/core'
import { importCards, type StockRow } from '@gatehouse-access/server'
import { type Command, CommandError } from '../command.ts'
import { openMigrated } from '../instance.ts'

const columns = ['id', 'uid', 'printed_code']
const mostErrors = 50

export const cardsImport: Command = {
  name: 'cards import',
  parameters: ['FILE'],
  about: 'Adds cards to the stock, from which organizations adopt them by id.',
  details: [
    'FILE is a CSV file in UTF-8, or - for standard input. Its first line names the columns: uid (4, 7 or 10 bytes in hex),',
    'printed_code, and id (crd_…, generated if empty). Every card needs a uid or a printed code.',
    'Either all cards are added or none. Each wrong line is reported.',
  ].join('\n'),
  options: {},
  async run({ env, parameters, print, terminal }) {
    const [path = '-'] = parameters
    const rows = readRows(path, await readInputFile(path, terminal.stdin))
    await using instance = await openMigrated(env)
    const errors = await importCards(instance, rows)
    if (errors.length === 0) return print(`Added ${rows.length} cards to the stock.`)
    const lines = errors.slice(0, mostErrors).map(({ line, message }) => `line ${line}: ${message}`)
    throw new CommandError([...lines, `Nothing was imported: ${errors.length} errors.`].join('\n'))
  },
}

async function readInputFile(path: string, stdin: NodeJS.ReadableStream): Promise<string> {
  try {
    return path === '-' ? await readStream(stdin) : await readFile(path, 'utf8')
  } catch (cause) {
    throw new CommandError(`The file ${path} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

function readRows(path: string, text: string): StockRow[] {
  const [head, ...records] = parse(path, text)
  const names = head?.cells.map(name => name.toLowerCase()) ?? []
  const unknown = names.find((name, index) => !columns.includes(name) || names.indexOf(name) !== index)
  if (names.length === 0 || unknown !== undefined)
    throw new CommandError(
      `The first line of ${path} must name the columns, each of ${columns.join(', ')} at most once, not ${JSON.stringify(unknown ?? '')}.`,
    )
  return records.map(({ line, cells }) => {
    if (cells.length > names.length)
      throw new CommandError(
        `Line ${line} of ${path} has ${cells.length} cells under ${names.length} columns.`,
      )
    return { line, ...Object.fromEntries(names.map((name, index) => [name, cells[index]])) }
  })
}

function parse(path: string, text: string) {
  try {
    return parseCsv(text)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CommandError(`The file ${path} is not valid CSV: ${error.message}.`, { cause: error })
  }
}
