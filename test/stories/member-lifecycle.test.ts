import { addSeconds } from '@gatehouse-access/core'
import type { Client } from '@gatehouse-access/sdk'
import { expireMembers } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
let client: Client

beforeAll(async () => {
  w = await world()
  client = (await w.tenant()).client
})
afterAll(() => w[Symbol.asyncDispose]())

const day = 86_400

async function memberFor(days: { from: number; to: number }) {
  const at = (offset: number) =>
    Temporal.Instant.from(w.clock.now())
      .add({ seconds: Math.round(offset * day) })
      .toString()
  return client.members.create({ starts_at: at(days.from), ends_at: at(days.to) })
}

const expire = () => expireMembers(w.server.context)
const read = (id: string) => client.members.get(id)
const eventsOf = async (id: string) =>
  (await client.events.list({ 'object.member_id': id, sort: 'created_at:asc' })).data

test('Pending becomes Active when its start is reached: nothing is written for it', async () => {
  const { id } = await memberFor({ from: 1, to: 2 })
  w.clock.advance(1.5 * day)
  await expire()
  expect(await read(id)).toMatchObject({ is_deleted: false })
  expect(await eventsOf(id)).toHaveLength(1)
})

test('Active becomes Deleted by DELETE, which answers the member and keeps its credentials', async () => {
  const { id } = await memberFor({ from: -1, to: 5 })
  const pin = await client.member_pins.create(id, {})
  const deleted = await client.members.delete(id)
  expect(deleted).toMatchObject({ id, is_deleted: true })
  expect(await client.member_pins.get(id, pin.id)).toMatchObject({ is_deleted: false })
  expect(await client.members.delete(id)).toEqual(deleted)
  expect((await eventsOf(id)).filter(event => event.verb === 'delete')).toHaveLength(1)
  await expect(client.member_pins.create(id, {})).rejects.toMatchObject({
    status: 400,
    type: 'invalid_request',
  })
})

test('Active becomes Expired at its end: it is not deleted yet', async () => {
  const { id } = await memberFor({ from: -2, to: 0.1 })
  w.clock.advance(0.2 * day)
  await expire()
  expect(await read(id)).toMatchObject({ is_deleted: false })
})

test('Expired becomes Deleted one day after its end, once, by the service itself', async () => {
  const { id } = await memberFor({ from: -2, to: 0.5 })
  w.clock.advance(1.5 * day - 60)
  await expire()
  expect(await read(id)).toMatchObject({ is_deleted: false })
  w.clock.advance(120)
  expect(await expire()).toBeGreaterThan(0)
  expect(await expire()).toBe(0)
  expect(await read(id)).toMatchObject({ is_deleted: true })
  const [last, ...rest] = (await eventsOf(id)).filter(event => event.verb === 'delete')
  expect(rest).toEqual([])
  expect(new Set(Object.values(last?.subject ?? {}))).toEqual(new Set([null]))
})

test('Deleted lives again by PATCH is_deleted false, and keeps a full day when its end is long past', async () => {
  const { id } = await memberFor({ from: -2, to: 0.5 })
  w.clock.advance(5 * day)
  await expire()
  expect(await client.members.edit(id, { is_deleted: false })).toMatchObject({ is_deleted: false })
  w.clock.advance(day - 60)
  await expire()
  expect(await read(id)).toMatchObject({ is_deleted: false })
  w.clock.advance(120)
  await expire()
  expect(await read(id)).toMatchObject({ is_deleted: true })
  expect((await eventsOf(id)).map(event => event.verb)).toEqual(['create', 'delete', 'edit', 'delete'])
})

test('a restored member with new dates is deleted a day after those', async () => {
  const { id } = await memberFor({ from: -2, to: 0.5 })
  await client.members.delete(id)
  const ends_at = Temporal.Instant.from(w.clock.now())
    .add({ seconds: 10 * day })
    .toString()
  await client.members.edit(id, { is_deleted: false, ends_at })
  w.clock.advance(10.5 * day)
  await expire()
  expect(await read(id)).toMatchObject({ is_deleted: false })
  w.clock.advance(0.6 * day)
  await expire()
  expect(await read(id)).toMatchObject({ is_deleted: true })
})

test('a member whose PIN someone else has by now cannot be restored, and the answer names the PIN', async () => {
  const first = await memberFor({ from: -1, to: 5 })
  const pin = await client.member_pins.create(first.id, { pin: '730182' })
  await client.members.delete(first.id)
  const second = await memberFor({ from: -1, to: 5 })
  const taken = await client.member_pins.create(second.id, { pin: '730182' })
  await expect(client.members.edit(first.id, { is_deleted: false })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(pin.id),
  })
  await client.member_pins.delete(second.id, taken.id)
  expect(await client.members.edit(first.id, { is_deleted: false })).toMatchObject({ is_deleted: false })
  await expect(client.member_pins.edit(second.id, taken.id, { is_deleted: false })).rejects.toMatchObject({
    status: 400,
  })
})

test('the end must come after the start, and both may lie in the past', async () => {
  await expect(
    client.members.create({ starts_at: '2020-01-02T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' }),
  ).rejects.toMatchObject({ args: { field: 'ends_at' } })
  const past = await client.members.create({
    starts_at: '2020-01-01T00:00:00Z',
    ends_at: '2020-01-02T00:00:00Z',
  })
  await expect(client.members.edit(past.id, { ends_at: '2019-01-01T00:00:00Z' })).rejects.toMatchObject({
    status: 400,
  })
})

test('a member that cannot be deleted keeps those of other organizations from nothing', async () => {
  const { db } = w.server.context
  const other = (await w.tenant()).client
  const dates = { starts_at: w.clock.now(), ends_at: addSeconds(w.clock.now(), 60) }
  const [stuck, due] = [await client.members.create(dates), await other.members.create(dates)]
  await db.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF OLD.id = '${stuck.id}' THEN RAISE 'not this one'; END IF; RETURN NEW; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON members FOR EACH ROW EXECUTE FUNCTION refuse()`,
    [],
    { prepare: false },
  )
  w.clock.advance(day + 61)
  await expect(expire()).rejects.toThrow('not this one')
  expect(await other.members.get(due.id)).toMatchObject({ is_deleted: true })
  expect(await read(stuck.id)).toMatchObject({ is_deleted: false })
})
