import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { keyedHash } from '../src/imports/keyed-hash.ts'
import { SeenValues } from '../src/imports/seen-values.ts'
import { type SourceRow, Survey, settleImport, type TargetColumn } from '../src/index.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes that are held now. Buffers are freed some time after what held them. */
async function held(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collect()
    await sleep(20)
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const names = new Map<TargetColumn, string>([['external_id', 'id']])

function row(line: number, cells: readonly (readonly [TargetColumn, string])[]): SourceRow {
  return { line, cells: new Map(cells), names, written: [], problems: [] }
}

/** Ten cards in each row. */
function cards(line: number): string {
  const uid = (n: number) => (0x10_0000_0000 + line * 10 + n).toString(16)
  return Array.from({ length: 10 }, (_, n) => uid(n)).join(';')
}

test('a file takes 20 bytes for each value while it is read, and next to nothing afterwards', async () => {
  const before = await held()
  const survey = new Survey(settleImport({}), [3, 4])
  for (let line = 2; line < 50_002; line++)
    survey.add(
      row(line, [
        ['external_id', `E${line}`],
        ['card_uid', cards(line)],
      ]),
    )
  expect(survey.held).toBe(550_000)
  expect((await held()) - before).toBeLessThan(20 * survey.held)
  survey.end()
  expect((await held()) - before).toBeLessThan(1_000_000)
  expect(survey.repeatOf(row(2, []))).toBeUndefined()
})

test('a sync keeps its keys and IDs, and repeated values of all rows take little', async () => {
  const before = await held()
  const survey = new Survey(settleImport({ mode: 'sync', source: 'hr', max_deletes: '1' }), [5, 6])
  for (let line = 2; line < 50_002; line++)
    survey.add(
      row(line, [
        ['external_id', `E${line}`],
        ['pin', '4711'],
      ]),
    )
  survey.end()
  expect((await held()) - before).toBeLessThan(5_000_000)
  expect(survey.repeatOf(row(50_001, []))).toEqual({
    column: 'pin',
    problem: 'The value is the same as in line 2',
  })
  expect(survey.names('external_id', 'E50001')).toBe(true)
  expect(survey.names('external_id', 'E50002')).toBe(false)
})

test('values are found again while tables grow, and nothing else is', () => {
  const seen = new SeenValues([7, 8])
  const count = 50_000
  for (let n = 1; n <= count; n++) expect(seen.note(`v${n}`, n)).toBe(n)
  for (let n = 1; n <= count; n++) expect(seen.note(`v${n}`, n + 1)).toBe(n)
  for (let n = count + 1; n <= 2 * count; n++) expect(seen.has(`v${n}`)).toBe(false)
})

/** Of the reference implementation, for the bytes 0, 1, 2 and so on. */
test.each([
  ['', '218d1f59b9b83cc8'],
  ['\u0100', '064f39ef7c50eb57'],
  ['\u0100\u0302', 'd5e78a175be52ea1'],
  ['\u0100\u0302\u0504', 'ce3e91358aa2bc25'],
  ['\u0100\u0302\u0504\u0706', 'edfee820bce4858c'],
])('the hash of %j is that of HalfSipHash', (text, expected) => {
  const hash = keyedHash([0x03020100, 0x07060504], text)
  expect(Buffer.from(Uint32Array.from(hash).buffer).toString('hex')).toBe(expected)
})
