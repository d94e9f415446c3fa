import { expect, it } from 'vitest'
import { Uploads } from '../src/devices/journal/uploads.ts'
import { Traffic } from '../src/flow/traffic.ts'

/** A clock that stands still until the test moves it, and then runs everything that is due. */
class Hours {
  now = 0
  #due: { at: number; run: () => void }[] = []
  readonly timers = {
    elapsed: () => this.now,
    later: (milliseconds: number, run: () => void) => {
      this.#due.push({ at: this.now + milliseconds, run })
      return () => {}
    },
  }

  /** Runs until no timer is pending, or until the given milliseconds have passed. */
  async pass(milliseconds = Number.POSITIVE_INFINITY): Promise<void> {
    const end = this.now + milliseconds
    for (;;) {
      await settled()
      this.#due.sort((a, b) => a.at - b.at)
      const next = this.#due[0]
      if (!next || next.at > end) break
      this.#due.shift()
      this.now = next.at
      next.run()
    }
    if (Number.isFinite(end)) this.now = end
  }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

function open(isBusy: () => boolean) {
  const hours = new Hours()
  const uploads = new Uploads({ timers: hours.timers, traffic: { isBusy } })
  const accepted: { size: number; at: number }[] = []
  const upload = (size: number, work = async () => {}, organization = 'org_1') =>
    uploads.pass(organization, size, async () => {
      accepted.push({ size, at: hours.now })
      await work()
    })
  return { hours, upload, accepted }
}

/** Uploads one batch after another, as a device sends its journal. */
async function uploadAll(upload: (size: number) => Promise<void>, events: number): Promise<void> {
  for (let sent = 0; sent < events; sent += 500) await upload(500)
}

it('takes a full journal within a minute, and most of that, while requests come', async () => {
  const { hours, upload, accepted } = open(() => true)
  const done = uploadAll(upload, 200_000)
  await hours.pass()
  await done
  expect(accepted).toHaveLength(400)
  expect(hours.now).toBeLessThan(60_000)
  expect(hours.now).toBeGreaterThan(50_000)
})

it('takes it at once when nobody asks', async () => {
  const { hours, upload, accepted } = open(() => false)
  await uploadAll(upload, 200_000)
  expect(accepted).toHaveLength(400)
  expect(hours.now).toBe(0)
})

it('keeps the pace for all devices together', async () => {
  const { hours, upload } = open(() => true)
  const done = Promise.all(Array.from({ length: 10 }, () => uploadAll(upload, 20_000)))
  await hours.pass()
  await done
  expect(hours.now).toBeGreaterThan(50_000)
})

it('goes on soon after the last request', async () => {
  let busy = true
  const { hours, upload, accepted } = open(() => busy)
  void upload(500)
  void upload(500)
  await hours.pass(40)
  expect(accepted).toHaveLength(1)
  busy = false
  await hours.pass(40)
  expect(accepted).toHaveLength(2)
})

it('lets what happens now pass by what waits', async () => {
  const { hours, upload, accepted } = open(() => true)
  for (let device = 0; device < 5; device++) void upload(500)
  await hours.pass(10)
  await upload(3)
  expect(accepted.map(({ size }) => size)).toEqual([500, 3])
  await hours.pass()
  expect(accepted).toHaveLength(6)
})

it('accepts one batch of an organization at a time, and goes on after one that failed', async () => {
  const { hours, upload, accepted } = open(() => false)
  const first = Promise.withResolvers<void>()
  const failing = upload(500, () => first.promise)
  await hours.pass()
  const second = upload(1)
  const third = upload(500)
  await hours.pass()
  expect(accepted).toHaveLength(1)
  first.reject(new Error('the database is away'))
  await expect(failing).rejects.toThrow('away')
  await Promise.all([second, third])
  expect(accepted).toHaveLength(3)
})

it('is busy from a request on until none came for a while', () => {
  let now = 1000
  const traffic = new Traffic({ elapsed: () => now })
  expect(traffic.isBusy()).toBe(false)
  traffic.note()
  expect(traffic.isBusy()).toBe(true)
  now += 60
  traffic.note()
  now += 60
  expect(traffic.isBusy()).toBe(true)
  now += 60
  expect(traffic.isBusy()).toBe(false)
})

it('is steady while at least twenty requests come in a second', () => {
  let now = 1000
  const traffic = new Traffic({ elapsed: () => now })
  const receive = (count: number, gap: number) => {
    for (let left = count; left > 0; left--) {
      now += gap
      traffic.note()
    }
  }
  receive(3, 10)
  expect(traffic.isSteady()).toBe(false)
  receive(1, 10)
  expect(traffic.isSteady()).toBe(true)
  receive(20, 80)
  expect([traffic.isBusy(), traffic.isSteady()]).toEqual([true, false])
  receive(20, 40)
  expect(traffic.isSteady()).toBe(true)
  now += 90
  expect(traffic.isSteady()).toBe(false)
})

it('serves organizations in turn, and one that is held up holds up nobody else', async () => {
  const { hours, upload, accepted } = open(() => false)
  const held = Promise.withResolvers<void>()
  const hanging = upload(1, () => held.promise)
  const queued = Array.from({ length: 50 }, () => upload(2))
  await upload(3, undefined, 'org_2')
  expect(accepted.map(({ size }) => size)).toEqual([1, 3])
  held.resolve()
  await Promise.all([hanging, ...queued])
  await hours.pass()
})
