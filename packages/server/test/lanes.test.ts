import { expect, test } from 'vitest'
import { Lanes } from '../src/devices/slices/lanes.ts'

/** Turns that last until they are ended, and what happened, in order. */
function stage() {
  const happened: string[] = []
  const ends = new Map<string, () => void>()
  const lanes = new Lanes({
    hurry: async ({ organization_id }) => void happened.push(`${organization_id} hurries`),
    settle: async ({ organization_id }) => void happened.push(`${organization_id} settles`),
  })
  const take = (organizationId: string, name = organizationId) =>
    lanes.run(organizationId, async () => {
      happened.push(name)
      await new Promise<void>(resolve => ends.set(name, resolve))
    })
  /** Ends a turn, and lets everything happen that follows from it. */
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  return { lanes, happened, take, end }
}

const settled = () => new Promise(resolve => setImmediate(resolve))
const turnsOf = (happened: readonly string[]) => happened.filter(name => !/ (hurries|settles)$/.test(name))

test('an organization takes one turn after another, and others do not wait for it', async () => {
  const { happened, take, end, lanes } = stage()
  for (const name of ['first', 'second']) void take('large', name)
  void take('small')
  await settled()
  expect(turnsOf(happened)).toEqual(['first', 'small'])
  await end('first')
  expect(turnsOf(happened)).toEqual(['first', 'small', 'second'])
  await end('second')
  await end('small')
  expect(lanes.size).toBe(0)
})

test('where too many organizations want a turn, one with many waits behind those with one', async () => {
  const { happened, take, end } = stage()
  for (const id of ['a', 'b', 'c']) void take(id)
  for (let number = 1; number <= 100; number++) void take('large', `${number}`)
  void take('small')
  await settled()
  expect(turnsOf(happened)).toEqual(['a', 'b', 'c', '1'])
  await end('1')
  expect(turnsOf(happened).slice(4)).toEqual(['small'])
})

test('each turn begins with what was found, and emergencies wait for nobody else', async () => {
  const { happened, take, end } = stage()
  for (const id of ['a', 'b', 'c', 'd']) void take(id)
  await settled()
  void take('late')
  await settled()
  expect(happened.at(-1)).toBe('late hurries')
  await end('b')
  expect(happened.slice(-2)).toEqual(['late settles', 'late'])
})

test('a turn that takes long lets others go first', async () => {
  const { happened, take, lanes } = stage()
  for (const id of ['a', 'b', 'c']) void take(id)
  const long = lanes.run('long', async () => {
    happened.push('long begins')
    await settled()
    await lanes.letOthers()
    happened.push('long goes on')
  })
  void take('small')
  await settled()
  await settled()
  expect(turnsOf(happened).slice(-2)).toEqual(['long begins', 'small'])
  await Promise.race([long, settled()])
  expect(happened).not.toContain('long goes on')
})
