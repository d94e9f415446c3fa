import { pino } from 'pino'
import { expect, test } from 'vitest'
import { pauseAfter, Trouble } from '../src/monitoring/trouble.ts'

function recorder() {
  const lines: { msg: string; times: number }[] = []
  const log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line)) })
  return { lines, log }
}

test('trouble has a line when it begins, one a minute with a count, and one when it is over', () => {
  const { lines, log } = recorder()
  const trouble = new Trouble(log, 'it stopped')
  for (let second = 0; second <= 120; second++) trouble.met(new Error('no'), {}, second * 1000)
  trouble.over()
  trouble.over()
  trouble.met(new Error('again'), {}, 121_000)
  expect(lines.map(({ msg, times }) => [msg, times])).toEqual([
    ['it stopped', 1],
    ['it stopped', 60],
    ['it stopped', 60],
    ['it stopped: over', 0],
    ['it stopped', 1],
  ])
})

test('each failure in a row waits twice as long as the last, up to half a minute', () => {
  expect([0, 1, 2, 3, 7, 8, 100].map(pauseAfter)).toEqual([0, 250, 500, 1000, 16_000, 30_000, 30_000])
})
