import { expect, test } from 'vitest'
import type { Driven, Driver } from '../src/index.ts'
import type { DrivenDoor } from '../src/modes/door-memory.ts'
import { DoorOrders } from '../src/modes/door-orders.ts'
import { beginDoor, noMode } from '../src/modes/door-state.ts'
import { ManualPlatform } from './manual-platform.ts'
import { street } from './moded-doors.ts'

/** A lock that completes orders when the test says so, in any order. */
class LooseLock implements Driver {
  readonly #orders: { readonly action_id: string; readonly resolve: (driven: Driven) => void }[] = []
  position = ''

  run({ action_id }: Parameters<Driver['run']>[0]): Promise<Driven> {
    const { promise, resolve } = Promise.withResolvers<Driven>()
    this.#orders.push({ action_id, resolve })
    return promise
  }

  get asked(): string[] {
    return this.#orders.map(({ action_id }) => action_id)
  }

  complete(index: number): void {
    const order = this.#orders[index]
    this.position = order?.action_id ?? ''
    order?.resolve({ outcome: 'done' })
  }

  power() {
    return {}
  }
}

const stateOf = (record: Partial<DrivenDoor>) => beginDoor(street as never, { ...noMode, ...record })
const unlocked = { mode: 'unlocked', source: 'override', position: 'secured' } as const
const lockdown = { mode: 'lockdown', source: 'emergency', position: 'secured' } as const

test('a lockdown during the order to hold a door counts once it is the last that the hardware did', async () => {
  const lock = new LooseLock()
  const orders = new DoorOrders(lock, new ManualPlatform())
  void orders.run(stateOf(unlocked), () => false)
  // The lock is where the lockdown wants it, as far as anybody knows.
  const secured = orders.run(stateOf(lockdown), () => true)
  expect(lock.asked).toEqual(['hold', 'secure'])
  lock.complete(1)
  lock.complete(0)
  expect(lock.position).toBe('hold')
  await expect.poll(() => lock.asked).toEqual(['hold', 'secure', 'secure'])
  lock.complete(2)
  expect(await secured).toEqual({ outcome: 'done' })
  expect(lock.position).toBe('secure')
})

test('an order that a newer one has overtaken is not given again', async () => {
  const lock = new LooseLock()
  const orders = new DoorOrders(lock, new ManualPlatform())
  const older = orders.run(stateOf({ ...lockdown, position: null }), () => false)
  const overtaken = orders.run(stateOf(unlocked), () => false)
  lock.complete(0)
  lock.complete(1)
  await Promise.all([older, overtaken])
  expect(lock.asked).toEqual(['secure', 'hold'])
  // With nothing under way, a lock that is where it should be is left alone.
  expect(await orders.run(stateOf(lockdown), () => true)).toEqual({ outcome: 'done' })
  expect(lock.asked).toHaveLength(2)
})
