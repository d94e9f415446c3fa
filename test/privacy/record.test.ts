import { addSeconds } from '@gatehouse-access/core'
import type { Tenant, World } from '@gatehouse-access/testkit'
import { world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logEvents } from '../../packages/server/src/store/event-log.ts'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant('Casa Ana')
})
afterAll(() => w[Symbol.asyncDispose]())

test('the record names what is stored, why, for how long and who gets it', async () => {
  const { client } = tenant
  await client.webhooks.create({ url: 'https://hooks.example/secret-path', filter: [] })
  const record = await client.organization.privacy_record()
  expect(record).toMatchObject({
    organization: 'Casa Ana',
    periods: { access_days: null },
    pending: null,
    recipients_cut: false,
  })
  expect(record.data).toContainEqual({
    data: 'member_emails',
    purpose: 'letters',
    fields: [
      { class: 'contact', names: ['email', 'email_key', 'search_text'] },
      { class: 'free', names: ['suspended_reason', 'metadata'] },
    ],
    kept: 'after_deletion',
  })
  expect(record.data).toContainEqual(
    expect.objectContaining({
      data: 'idempotency_keys',
      kept: 'after',
      kept_seconds: 86_400,
      kept_from: 'created_at',
    }),
  )
  expect(record.recipients).toContainEqual({ kind: 'webhook', name: 'hooks.example', count: 1 })
  expect(record.recipients).toContainEqual(expect.objectContaining({ kind: 'application' }))
  expect(JSON.stringify(record)).not.toContain('secret-path')
})

test('a preview counts what periods would remove, and nothing of others', async () => {
  const { client, organization_id } = await w.tenant()
  const now = w.clock.now()
  const old = addSeconds(now, -100 * 86_400)
  const member_id = 'mem_06gxjs3e7dds3ssctgw6'
  const drafts = [
    { verb: 'use', subject: { member_id }, object: { type: 'gadget_action' } },
    { verb: 'create', subject: { member_id }, object: { type: 'access_denial' } },
    { verb: 'create', subject: {}, object: { type: 'access_denial' } },
    {
      verb: 'reveal',
      subject: { user_id: 'usr_06gxjs3e7dds3ssctgw6', ip_address: '203.0.113.7' },
      object: { type: 'member_pin', member_id },
    },
    {
      verb: 'edit',
      subject: { user_id: 'usr_06gxjs3e7dds3ssctgw6', ip_address: '203.0.113.7' },
      object: { type: 'site' },
    },
    { verb: 'edit', subject: {}, object: { type: 'gadget_state' } },
    { verb: 'use', subject: {}, object: { type: 'gadget_signal' } },
  ] as const
  await logEvents(
    w.server.context.db,
    [old, now].flatMap(created_at =>
      drafts.map(draft => ({ ...draft, organization_id, created_at, recorded_at: now })),
    ),
  )
  const none = { members: 0, access: 0, access_deleted: 0, other: 0, device: 0, is_cut: false }
  expect(await client.organization.privacy_preview()).toEqual(none)
  expect(
    await client.organization.privacy_preview({
      access_days: 90,
      access_delete_days: 90,
      other_days: 90,
      device_days: 90,
    }),
  ).toEqual({ ...none, access: 3, access_deleted: 4, other: 2, device: 2 })
  expect(await client.organization.privacy_preview({ access_days: 101 })).toEqual(none)
  expect(await tenant.client.organization.privacy_preview({ access_days: 90 })).toEqual(none)
})
