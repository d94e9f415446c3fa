import type { Client } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hotel } from './hotel.ts'

let w: World
let tenant: Tenant
let client: Client
let place: Awaited<ReturnType<typeof hotel>>

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
  client = tenant.client
  place = await hotel(client)
})
afterAll(() => w[Symbol.asyncDispose]())

/** Begins as a PNG does, and is as long as asked. */
function picture(bytes = 100): string {
  const mark = Buffer.from('89504e470d0a1a0a', 'hex')
  return `data:image/png;base64,${Buffer.concat([mark, Buffer.alloc(bytes - mark.length, 7)]).toString('base64')}`
}

const refused = (field: string) =>
  expect.objectContaining({ status: 400, args: expect.objectContaining({ field }) })

test('a site has a picture, and its doors have places on it', async () => {
  expect(await client.sites.floor_plan(place.site)).toEqual({ image: null })
  const with_plan = await client.sites.set_floor_plan(place.site, { image: picture() })
  expect(with_plan.floor_plan_hash).toMatch(/^[0-9a-f]{64}$/)
  expect(await client.sites.floor_plan(place.site)).toEqual({ image: picture() })
  const door = await client.gadgets.edit(place.door, { plan_position: { x: 0.25, y: 1 } })
  expect(door.plan_position).toEqual({ x: 0.25, y: 1 })
  const [placed, set] = (await client.events.list({ verb: 'edit', limit: 2 })).data
  expect([placed?.object, set?.object]).toMatchObject([
    { type: 'gadget', gadget_id: place.door },
    { type: 'site', site_id: place.site },
  ])

  // The same again is no change.
  await client.sites.set_floor_plan(place.site, { image: picture() })
  expect((await client.events.list({ verb: 'edit', limit: 1 })).data[0]?.id).toBe(placed?.id)
  const other = await client.sites.set_floor_plan(place.site, { image: picture(500_000) })
  expect(other.floor_plan_hash).not.toBe(with_plan.floor_plan_hash)
  expect((await client.sites.set_floor_plan(place.site, { image: null })).floor_plan_hash).toBeNull()
  expect(await client.sites.floor_plan(place.site)).toEqual({ image: null })
  expect((await client.gadgets.get(place.door)).plan_position).toEqual({ x: 0.25, y: 1 })
})

test('only pictures of a bearable size are taken, and only by who may change the site', async () => {
  const set = (image: string, by = client) => by.sites.set_floor_plan(place.site, { image })
  await expect(set(picture(500_001))).rejects.toEqual(refused('image'))
  await expect(set('data:image/png;base64,aGVsbG8=')).rejects.toEqual(refused('image'))
  await expect(set(picture().replace('png', 'svg+xml'))).rejects.toEqual(refused('image'))
  await expect(set('https://example.com/plan.png')).rejects.toEqual(refused('image'))
  await expect(client.sites.set_floor_plan(place.site, {} as never)).rejects.toEqual(refused('image'))
  for (const plan_position of [{ x: 1.01, y: 0 }, { x: 0 }, { x: '0', y: 0 }] as never[])
    await expect(client.gadgets.edit(place.door, { plan_position })).rejects.toMatchObject({ status: 400 })
  await expect(set(picture(), tenant.clientWith(['devices']))).rejects.toMatchObject({ status: 403 })
  const stranger = (await w.tenant('Strangers')).client
  await expect(set(picture(), stranger)).rejects.toMatchObject({ status: 404 })
  await expect(stranger.sites.floor_plan(place.site)).rejects.toMatchObject({ status: 404 })
  expect(await client.sites.floor_plan(place.site)).toEqual({ image: null })
})
