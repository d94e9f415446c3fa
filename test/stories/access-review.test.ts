import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
beforeAll(async () => {
  w = await world()
  w.clock.set('2026-11-16T09:00:00Z')
})
afterAll(() => w[Symbol.asyncDispose]())

test('a review says since when somebody has access, and who granted it', async () => {
  const tenant = await w.tenant('Office')
  const { client } = tenant
  const site = await client.sites.create({ name: 'S', timezone: 'UTC' })
  const device = await client.devices.create({ name: 'D', site_id: site.id, product_id: 'controller' })
  const { id: gadget_id } = await client.gadgets.create({ name: 'Server room', device_id: device.id })
  const group = await client.member_groups.create({ name: 'IT', permissions: [{ gadget_id }] })
  const member = await client.members.create({ name: 'Ada' })
  w.clock.set('2026-11-16T10:00:00Z')
  const put = (more: object = {}) =>
    client.member_group_associations.create(member.id, { member_group_id: group.id, ...more })
  const first = await put({ ends_at: '2026-11-18T00:00:00Z' })
  w.clock.set('2026-11-17T10:00:00Z')
  await put()
  const by = { user_id: null, oauth_application_id: tenant.oauth_application_id }
  const rulesAt = async (at?: string) =>
    (await client.gadgets.access(gadget_id, { ever: true, ...(at && { at }) })).data.flatMap(
      ({ rules }) => rules ?? [],
    )

  const granted = { granted_at: first.created_at, granted_by: by }
  expect(await rulesAt()).toMatchObject([granted, granted])
  // What has ended by then does not count.
  expect(await rulesAt('2026-11-19T00:00:00Z')).toMatchObject([
    { granted_at: expect.stringMatching(/^2026-11-17T10:00:00/), granted_by: by },
  ])
  const doors = await client.members.access(member.id, { ever: true })
  expect(doors.data[0]?.rules?.[0]).toMatchObject(granted)

  await client.member_group_associations.delete(member.id, first.id)
  expect(await rulesAt()).toMatchObject([{ granted_at: expect.stringMatching(/^2026-11-17T10:00:00/) }])
})
