import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { openHouse } from '../doors/house.ts'
import { clientAt, Installation } from './installation.ts'

const owned = new AsyncDisposableStack()
let there: Installation

beforeAll(async () => {
  there = owned.use(await Installation.open())
})
afterAll(() => owned.disposeAsync())

test('a mode or an emergency that ended after the backup does not come back, and what lasted does', async () => {
  const w = await there.start()
  const tenant = await w.tenant()
  const { doors } = await openHouse(tenant.client, ['Closed again', 'Locked again', 'Locked', 'Open', 'Kept'])
  const [closed = '', free = '', locked = '', open = '', kept = ''] = doors
  for (const door of [closed, open, kept])
    await tenant.client.gadgets.mode(door, { mode: 'unlocked', lasts: 'indefinitely' })
  const start = (gadget: string) =>
    tenant.client.emergencies.create({ type: 'lockdown', targets: { gadget_ids: [gadget] } })
  const [over, lasting] = [await start(free), await start(locked)]
  await there.stop()
  const backup = await there.copy()

  const after = await clientAt(await there.start(), tenant)
  for (const door of [closed, kept]) await after.gadgets.mode(door, { mode: 'scheduled' })
  await after.emergencies.end(over.id)
  await there.stop()

  there.setBack(backup)
  await there.mark()
  const recovered = await clientAt(await there.start(), tenant)
  const modes = async (client: typeof recovered) =>
    Promise.all(doors.map(async id => (await client.gadgets.get(id)).mode?.effective))
  expect(await modes(recovered)).toEqual(['controlled', 'controlled', 'lockdown', 'unlocked', 'controlled'])
  const review = (await gatehouse(['restore', 'review'], there.env)).stdout
  expect(review).toContain('2 overrides and 1 emergency were deleted or changed after the backup')
  expect(review).toContain(`${closed}  override "Closed again", set otherwise or ended`)
  await there.stop()

  const confirmed = await gatehouse(['restore', 'confirm', '--keep', kept], there.env)
  expect(confirmed).toMatchObject({ code: 0, stderr: '' })
  const client = await clientAt(await there.start(), tenant)
  expect(await modes(client)).toEqual(['controlled', 'controlled', 'lockdown', 'unlocked', 'unlocked'])
  const { data } = await client.emergencies.list({ is_active: true })
  expect(data.map(({ id }) => id)).toEqual([lasting.id])
  expect(await client.emergencies.get(over.id)).toMatchObject({ is_deleted: false, is_active: false })
  const { data: events } = await client.events.list({ 'object.gadget_id': closed, 'object.type': 'gadget' })
  expect(events.map(({ object }) => object.reason)).toContain('mode_ended')
})
