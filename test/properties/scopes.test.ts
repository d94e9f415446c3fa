import {
  type Endpoint,
  endpoints,
  limitedScopes,
  scopesOf,
  type TokenScope,
  tokenScopes,
} from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, requester, succeed } from './ask.ts'
import { fillPath, kindOf } from './bad-requests.ts'
import { neverId } from './one-of-each.ts'

let w: World
let tenant: Tenant
const ask = {} as Record<TokenScope, Ask>

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
  for (const scope of tokenScopes) ask[scope] = requester(w.url, await tenant.tokenWith([scope]))
})
afterAll(() => w[Symbol.asyncDispose]())

/** Refused only for its scope: nothing else is right about the request. */
async function isReached(scope: TokenScope, { method, path }: Endpoint): Promise<boolean> {
  const at = fillPath(path, name => (/^(action|product)_id$/.test(name) ? 'x' : neverId(kindOf(name))))
  const { status, text } = await ask[scope]({
    method,
    path: `${at}?nothing=x`,
    ...(method !== 'GET' && { body: {} }),
  })
  return !(status === 403 && JSON.parse(text).args.reason === 'scope_too_small')
}

describe.each(tokenScopes)('%s', scope => {
  test('reaches exactly the endpoints that are declared for it', async () => {
    const reached: string[] = []
    for (const endpoint of endpoints) if (await isReached(scope, endpoint)) reached.push(endpoint.id)
    const declared = endpoints.filter(endpoint => scopesOf(endpoint).includes(scope)).map(({ id }) => id)
    expect(reached).toEqual(declared)
  })
})

/** Written by hand: what is derived must not widen unnoticed. */
const expected: Record<(typeof limitedScopes)[number], string> = {
  members: `access_check.create bulk.create card.create card.delete card.edit card.get card.list device.unknown_cards event.unknown_card
    gadget.access grant.create member.access member.create member.delete member.edit member.get member.history member.invite member.list member.sync
    member_card.create member_card.delete member_card.edit member_card.get member_card.list member_card.lost member_card.replace member_email.create
    member_email.delete member_email.edit member_email.get member_email.list member_group.get member_group.history member_group.list
    member_group_association.create member_group_association.delete member_group_association.edit member_group_association.get
    member_group_association.list member_magic_link.create member_magic_link.delete member_magic_link.edit member_magic_link.get
    member_magic_link.list member_magic_link.reveal member_pin.create member_pin.delete member_pin.edit member_pin.get member_pin.list
    member_pin.reveal member_token.create member_token.delete member_token.edit member_token.get member_token.list organization.get tag.get tag.list`,
  'members:read': `access_check.create bulk.create card.get card.list gadget.access member.access member.get member.history member.list member.sync member_card.get
    member_card.list member_email.get member_email.list member_group.get member_group.history member_group.list member_group_association.get
    member_group_association.list member_magic_link.get member_magic_link.list member_pin.get member_pin.list member_token.get member_token.list
    organization.get tag.get tag.list`,
  devices: `bulk.create device.create device.delete device.edit device.get device.history device.issue_credentials device.list device.maintenance
    device.revoke_credentials device.simulate gadget.create gadget.delete gadget.edit gadget.get gadget.history gadget.list gadget.modes
    gadget_trigger.create gadget_trigger.delete gadget_trigger.edit gadget_trigger.get gadget_trigger.list organization.get product.get product.list
    site.days site.floor_plan site.get site.history site.list site.zone tag.get tag.list`,
  'events:read': `bulk.create event.get event.issue_stream_ticket event.list organization.get webhook.create webhook.delete webhook.edit webhook.get webhook.list
    webhook.replay webhook.test webhook_delivery.get webhook_delivery.list webhook_delivery.retry`,
  actions: `bulk.create gadget.execute_as_member gadget.get gadget.history gadget.list gadget.modes gadget.run_action organization.get site.days site.floor_plan site.get site.history
    site.list site.zone`,
}

test.each(limitedScopes)('%s means what it says', scope => {
  const declared = endpoints.filter(endpoint => scopesOf(endpoint).includes(scope)).map(({ id }) => id)
  expect(declared.sort()).toEqual(expected[scope].split(/\s+/))
})

test('what a token may not read is left out of its expands', async () => {
  const member = await tenant.client.members.create({ name: 'Hidden name' })
  const find = (scope: TokenScope) =>
    ask[scope]({
      method: 'GET',
      path: `/events?object.member_id=${member.id}&expand=object_member,organization`,
    })
  expect((await find('full_read_only')).text).toContain('Hidden name')
  const { status, text } = await find('events:read')
  expect(status).toBe(200)
  expect(JSON.parse(text).data[0]).toHaveProperty('organization.name')
  expect(JSON.parse(text).data[0]).not.toHaveProperty('object_member')
})

test('an operation of a bulk needs its own scope', async () => {
  const operations = [
    { method: 'POST', path: '/members', body: { name: 'By a bulk' } },
    { method: 'GET', path: '/devices' },
  ]
  const { text } = await ask.members({ method: 'POST', path: '/bulk', body: { operations } })
  const statuses = JSON.parse(text).results.map(({ status }: { status: number }) => status)
  expect(statuses).toEqual([200, 403])
})

test('a webhook cannot expand what its token may not read', async () => {
  const body = { url: 'https://example.com/', filter: [{ object_type: 'member' }], expand: ['object_member'] }
  const refused = await ask['events:read']({ method: 'POST', path: '/webhooks', body })
  expect(refused.status).toBe(403)
  const { id } = await succeed<{ id: string }>(ask['events:read'], {
    method: 'POST',
    path: '/webhooks',
    body: { ...body, expand: ['organization'] },
  })
  const edited = await ask['events:read']({
    method: 'PATCH',
    path: `/webhooks/${id}`,
    body: { expand: body.expand },
  })
  expect(edited.status).toBe(403)
})

test('a stream needs a scope that reads events', async () => {
  const open = async (scope: TokenScope) => {
    const headers = {
      authorization: `Bearer ${await tenant.tokenWith([scope])}`,
      accept: 'text/event-stream',
    }
    const end = new AbortController()
    const { status } = await fetch(`${w.url}/v2/events/stream`, { headers, signal: end.signal })
    end.abort()
    return status
  }
  expect(await open('events:read')).toBe(200)
  expect(await open('members')).toBe(403)
})
