import { doorTemplates } from '@gatehouse-access/api'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from './gatehouse.ts'

test('a name is looked for among all hits, not only the newest hundred', async () => {
  await using w = await world()
  const { client } = await w.tenant('Office')
  const site = await client.sites.create({ name: 'Berlin', timezone: 'Europe/Berlin' })
  const device = await client.devices.create({ name: 'Lobby', site_id: site.id, product_id: 'controller' })
  const body = { device_id: device.id, ...structuredClone(doorTemplates.plain) }
  await client.bulk(
    Array.from({ length: 199 }, (_, index) => ({
      method: 'POST' as const,
      path: '/gadgets',
      body: { ...body, name: `Door ${index + 1}` },
    })),
  )
  const names = ['Ana', ...Array.from({ length: 110 }, (_, index) => `Ana ${index}`), 'Ana']
  await client.bulk(names.map(name => ({ method: 'POST', path: '/members', body: { name } })))
  const say = (...args: string[]) => gatehouse([...args, '--url', w.url], { DATABASE_URL: w.database_url })

  expect((await say('open', 'Door 1')).stdout).toBe('Door 1: Open done.\n')
  for (const act of ['end', 'delete'])
    expect(await say('members', act, 'ana')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('2 members are called ana: give the ID of one of them (mem_'),
    })
})
