import { decide, toMicroseconds } from '@gatehouse-access/core'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import type { Database, Row } from '../src/database/db.ts'
import { asQuery } from '../src/database/postgres/query.ts'
import { PolicyCache } from '../src/policy/cache.ts'

/** Records the snapshots from which the cache looked for changes, in order, and how often it read rows. */
function recordSnapshots(db: Database) {
  const asked: unknown[] = []
  const reads = { count: 0 }
  const recorded: Database = {
    query: asQuery((text, params, options) => {
      if (text.includes('pg_visible_in_snapshot')) asked.push(params?.[1])
      return db.query<Row>(text, params, options)
    }),
    transaction: work => {
      reads.count++
      return db.transaction(work)
    },
    afterCommit: effect => db.afterCommit(effect),
  }
  return { asked, reads, recorded }
}

async function doorOf(client: Awaited<ReturnType<Awaited<ReturnType<typeof world>>['tenant']>>['client']) {
  const site = await client.sites.create({ name: 'Site', timezone: 'UTC' })
  const device = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const { id } = await client.gadgets.create({ name: 'Door', device_id: device.id })
  const group = await client.member_groups.create({ name: 'Guests', permissions: [{ gadget_id: id }] })
  return { id, group: group.id }
}

test('uses and denials are not gone over again by every later look for changes', async () => {
  await using w = await world()
  const { client, organization_id } = await w.tenant()
  const door = await doorOf(client)
  const stranger = await client.members.create({})
  const { asked, recorded } = recordSnapshots(w.server.context.db)
  const policies = new PolicyCache(recorded, w.server.context.zones)
  await policies.fresh(organization_id)
  for (let round = 0; round < 3; round++) {
    await client.gadgets.run_action(door.id, 'open', {})
    await client.gadgets
      .execute_as_member(door.id, 'open', { member_id: stranger.id })
      .catch(error => expect(error.type).toBe('permission_denied'))
    await policies.fresh(organization_id)
  }
  // One look per round, each from a different snapshot.
  expect(asked.length).toBe(3)
  expect(new Set(asked).size).toBe(3)
})

test('a member that is brought in late comes with everything of the change that restored it', async () => {
  await using w = await world()
  const { client, organization_id } = await w.tenant()
  const [old, next] = [await doorOf(client), await doorOf(client)]
  const grant = (group: string) =>
    client.grants.create({ external_id: 'R-1', member: {}, member_group_ids: [group] })
  const { id: member_id } = await grant(old.group)
  await client.members.delete(member_id)
  const policies = new PolicyCache(w.server.context.db, w.server.context.zones)
  const question = { member_id, action_id: 'open', at: toMicroseconds(w.clock.now()) }
  const before = await policies.fresh(organization_id)
  expect(decide(before, { ...question, gadget_id: old.id }).reason).toBe('unknown_credential')
  await grant(next.group)
  const after = await policies.including(organization_id, member_id)
  expect(decide(after, { ...question, gadget_id: old.id }).reason).toBe('no_matching_rule')
  expect(decide(after, { ...question, gadget_id: next.id }).allowed).toBe(true)
})

test('an edit of what decides nothing is not read again', async () => {
  await using w = await world()
  const { client, organization_id } = await w.tenant()
  const door = await doorOf(client)
  const { id: member_id } = await client.grants.create({ member: {}, member_group_ids: [door.group] })
  const { reads, recorded } = recordSnapshots(w.server.context.db)
  const policies = new PolicyCache(recorded, w.server.context.zones)
  const question = { member_id, gadget_id: door.id, action_id: 'open', at: toMicroseconds(w.clock.now()) }
  expect(decide(await policies.fresh(organization_id), question).allowed).toBe(true)
  const before = reads.count
  await client.members.edit(member_id, { name: 'Ann', language: 'es' })
  await client.member_groups.edit(door.group, { name: 'Staff' })
  await client.gadgets.edit(door.id, { name: 'Gate', metadata: { source: 'pms' } })
  await policies.fresh(organization_id)
  expect(reads.count).toBe(before)
  await client.members.edit(member_id, { name: 'Ann Lee', ends_at: '2020-01-01T00:00:00Z' })
  expect(decide(await policies.fresh(organization_id), question).reason).toBe('member_ended')
  expect(reads.count).toBe(before + 1)
})
