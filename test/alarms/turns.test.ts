import { expect, test } from 'vitest'
import { Flights } from '../../packages/server/src/telling/sending/flights.ts'
import { Turns } from '../../packages/server/src/telling/sending/turns.ts'

test('organizations whose receivers hang leave room for the messages of another', async () => {
  const flights = new Flights()
  const { promise: hanging, resolve } = Promise.withResolvers<void>()
  const sent: string[] = []
  const launch = (id: string) =>
    flights.launch(
      id,
      async most => Array<string>(most).fill(id),
      one => {
        sent.push(one)
        return hanging
      },
    )
  for (let round = 0; round < 20; round++)
    await Promise.all(Array.from({ length: 33 }, (_, index) => launch(`org_${index}`)))
  expect(sent.filter(id => id === 'org_0')).toHaveLength(16)
  await launch('another')
  expect(sent).toContain('another')
  expect(sent.length).toBeLessThanOrEqual(512)
  resolve()
  await flights.landed()
  await launch('org_0')
  expect(sent.filter(id => id === 'org_0')).toHaveLength(32)
})

test('those who had their turn longest ago are next', () => {
  const turns = new Turns()
  for (const id of ['a', 'b', 'c', 'a']) turns.note(id)
  expect(turns.order(['a', 'b', 'c', 'new'])).toEqual(['new', 'b', 'c', 'a'])
})
