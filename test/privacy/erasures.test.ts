import { verifyAudit } from '@gatehouse-access/server'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world({ delivery: true, jobs: true })
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

test('a member is erased', async () => {
  const { client } = tenant
  const member = await client.members.create({ name: 'Ada', metadata: { passport: 'X1' } })
  const pin = await client.member_pins.create(member.id, {})
  expect(pin.pin).toBeDefined()
  const dry = await client.members.erase(member.id, {}, { dry_run: true })
  expect(dry.counts).toMatchObject({ objects: 2, events: 2 })
  const begun = await client.erasures.create({ member_id: member.id, reference: 'DSR-1' })
  expect(begun.state).toBe('running')
  await expect.poll(() => client.erasures.get(begun.id), { timeout: 10_000 }).toMatchObject({ state: 'done' })
  const done = await client.erasures.get(begun.id)
  console.log(done)
  console.log(await client.members.get(member.id))
  const report = await verifyAudit(w.server.context.db, { secret_keys: w.server.context.config.secret_keys })
  console.log(report)
})
