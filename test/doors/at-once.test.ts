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
