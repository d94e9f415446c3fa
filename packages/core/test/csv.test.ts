import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CsvError, CsvReader, csvLine, parseCsv, withoutApostrophe } from '../src/csv.ts'

test('is read with quotes, empty cells, empty lines and a byte order mark', () => {
  expect(parseCsv('\uFEFFa,b\n"x,1","line\nbreak"\n\n,last\r\nq,')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x,1', 'line\nbreak'] },
    { line: 5, cells: ['', 'last'] },
    { line: 6, cells: ['q', ''] },
  ])
})

test.each([';', '\t'])('%j separates where the first line has more of it than of commas', separator => {
  expect(parseCsv(`${['name', 'note'].join(separator)}\n${['Ada', 'a, b'].join(separator)}`)).toEqual([
    { line: 1, cells: ['name', 'note'] },
    { line: 2, cells: ['Ada', 'a, b'] },
  ])
})

test('a quote inside a cell is a quote; one that is not closed, or closed too early, is told with its line', () => {
  expect(parseCsv('5" pipe,x')).toEqual([{ line: 1, cells: ['5" pipe', 'x'] }])
  for (const text of ['a\n"b\n', 'a\n"b"c\n']) {
    expect(() => parseCsv(text)).toThrow(CsvError)
    expect(() => parseCsv(text)).toThrow('line 2 has a misplaced quote')
  }
})

test('what was written is read again, and no formula runs in a spreadsheet', () => {
  const cells = ['plain', 'with "quotes"', 'a,b;c', 'two\nlines', '']
  expect(parseCsv(csvLine(cells))[0]?.cells).toEqual(cells)
  expect(csvLine(['=1+1', null, undefined, 7, true])).toBe("'=1+1,,,7,true\r\n")
})

/** What the reader returns for a text that arrives in pieces of so many characters. */
function readInPieces(text: string, size: number) {
  const reader = new CsvReader()
  const records = []
  for (let start = 0; start < text.length; start += size)
    records.push(...reader.read(text.slice(start, start + size)))
  return [...records, ...reader.end()]
}

test('a text in pieces of any size gives the same records, with any line ends', () => {
  const text = '\uFEFFname;note\r\n"a;""b""";"two\r\nlines"\r\rx;" kept "\n  trimmed ;\n;\nlast;"q"'
  const whole = readInPieces(text, text.length)
  expect(whole).toEqual([
    { line: 1, cells: ['name', 'note'] },
    { line: 2, cells: ['a;"b"', 'two\r\nlines'] },
    { line: 5, cells: ['x', ' kept '] },
    { line: 6, cells: ['trimmed', ''] },
    { line: 8, cells: ['last', 'q'] },
  ])
  for (let size = 1; size < 12; size++) expect(readInPieces(text, size)).toEqual(whole)
})

test('random cells are read as they were written, whatever the pieces', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'ü', '"', ',', ';', '\t', '\n', '\r', ' ', '=', "'", '-'),
  })
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 9 }), (given, size) => {
      const text = `a,b,c,d\r\n${given.map(csvLine).join('')}`
      const read = readInPieces(text, size).slice(1)
      const expected = given.filter(cells => cells.some(value => value !== ''))
      expect(read.map(({ cells }) => cells.map(withoutApostrophe))).toEqual(expected)
    }),
  )
})

test('a misplaced quote spoils its own record only', () => {
  expect(readInPieces('a,b\n"x"y,1\nz,2\n"open,3\nw,4', 3)).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x'], problem: 'misplaced_quote' },
    { line: 3, cells: ['z', '2'] },
    { line: 4, cells: [], problem: 'misplaced_quote' },
  ])
})

test('a quote that is never closed gathers no more than one record may hold', () => {
  const line = `${'x'.repeat(99)}\n`
  const text = `a,b\n"${line.repeat(4000)}end,1\n`
  const records = readInPieces(text, 65_536)
  expect(records[1]).toEqual({ line: 2, cells: [], problem: 'too_long' })
  expect(records.at(-1)).toEqual({ line: 4002, cells: ['end', '1'] })
})
