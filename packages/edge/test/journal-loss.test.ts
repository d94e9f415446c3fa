import type { JournalEvent } from '@gatehouse-access/api'
import { expect, test } from 'vitest'
import { openSqliteStorage } from '../src/index.ts'
import { planLosses } from '../src/storage/journal-loss.ts'
import { journalLimit } from '../src/storage/storage.ts'
import { makeFolder } from './edge.ts'

const entry = (sequence: number, type: JournalEvent['type'], from = sequence) => ({ sequence, type, from })

test('states, signals and denials go before openings, and neighbours become one', () => {
  const journal = [
    entry(1, 'use'),
    entry(2, 'denial'),
    entry(3, 'state'),
    entry(4, 'signal'),
    entry(5, 'use'),
    entry(6, 'denial'),
    entry(7, 'trigger'),
    entry(8, 'state'),
    entry(9, 'state'),
  ]
  expect(planLosses(journal, 2)).toEqual([{ from: 2, to: 4, first_sequence: 2 }])
  expect(planLosses(journal, 3)).toEqual([
    { from: 2, to: 4, first_sequence: 2 },
    { from: 8, to: 9, first_sequence: 8 },
  ])
})

test('where that is not enough the oldest go, whatever they are', () => {
  const journal = [entry(1, 'use'), entry(2, 'denial'), entry(3, 'use'), entry(4, 'use'), entry(5, 'use')]
  expect(planLosses(journal, 2)).toEqual([{ from: 1, to: 3, first_sequence: 1 }])
})

test('what was lost before is counted into what is lost now', () => {
  const journal = [entry(40, 'lost', 1), entry(41, 'denial'), entry(42, 'denial'), entry(43, 'use')]
  expect(planLosses(journal, 2)).toEqual([{ from: 1, to: 42, first_sequence: 40 }])
})

test('a full journal on the disk has no gap, says what is missing, and keeps the openings', async () => {
  using folder = makeFolder()
  const storage = openSqliteStorage(`${folder.path}/edge.sqlite`, 'journal-of-tests')
  const count = journalLimit + 1
  const occurred_at = '2026-06-01T00:00:00.000000Z'
  const events = Array.from({ length: count }, (_, index) => ({
    sequence: index + 1,
    occurred_at,
    type: index % 50 === 0 ? 'use' : 'signal',
  })) as JournalEvent[]
  await storage.write([...events.map(event => ({ type: 'event', event }) as const), { type: 'drop' }])
  storage.refresh()
  expect(storage.load().events).toBeLessThan(journalLimit)
  expect(storage.load().last_sequence).toBe(count)
  let [after, uses, lost] = [0, 0, 0]
  const gaps: number[] = []
  for (
    let part = await storage.readJournal(after, 5000);
    part.length > 0;
    part = await storage.readJournal(after, 5000)
  )
    for (const event of part) {
      // Not an assertion for each: one takes about 10 µs, and there are up to 200,000.
      if ((event.type === 'lost' ? event.from_sequence : event.sequence) !== after + 1) gaps.push(after)
      if (event.type === 'use') uses++
      if (event.type === 'lost') lost += event.count
      after = event.sequence
    }
  expect([gaps, after]).toEqual([[], count])
  expect(uses).toBe(Math.ceil(count / 50))
  expect(lost).toBeGreaterThanOrEqual(journalLimit / 100)
  await storage.close()
})
