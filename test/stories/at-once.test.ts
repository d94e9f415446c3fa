import { doorTemplates } from '@gatehouse-access/api'
import { within, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'

test(
  'more doors can be changed at once than there are connections, of one organization and of others',
  within(60),
  async () => {
    await using w = await world()
    const houses = await Promise.all(
      ['One', 'Two', 'Three'].map(async name => {
        const { client } = await w.tenant()
        const site = await client.sites.create({ name, timezone: 'UTC' })
        const device = await client.devices.create({ site_id: site.id, name, product_id: 'controller' })
        return { client, device_id: device.id }
      }),
    )
    const doors = await Promise.all(
      houses.flatMap(({ client, device_id }) =>
        Array.from({ length: 6 }, (_, n) =>
          client.gadgets.create({ name: `Door ${n}`, device_id, ...doorTemplates.plain }),
        ),
      ),
    )
    expect(doors.map(({ mode }) => mode?.effective)).toEqual(doors.map(() => 'controlled'))
  },
)

test('more addresses can be asked for a proof at once than there are connections', within(60), async () => {
  await using w = await world()
  const { client } = await w.tenant()
  const targets = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      client.notification_targets.create({
        kind: 'email',
        name: `Desk ${n}`,
        address: `desk${n}@example.com`,
      }),
    ),
  )
  const asked = await Promise.all(targets.map(({ id }) => client.notification_targets.send_code(id)))
  expect(asked.map(({ is_verified }) => is_verified)).toEqual(targets.map(() => false))
})
