import { expect, test } from 'vitest'
import { CsvError, csvLine, parseCsv } from '../src/csv.ts'

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
