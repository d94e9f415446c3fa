import { createClient } from '@gatehouse-access/sdk'
import { closeVirtualDoors } from '@gatehouse-access/server'
import { makeDataFolder, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { readDemoAccess } from '../../packages/server/src/demo/access.ts'
import { seedDemo } from '../../packages/server/src/demo/seed.ts'
import { tellPeople } from '../../packages/server/src/telling/sending/tell-people.ts'

test('a day at the demo is told of its site, and a forced door there is an alarm, mailed to its owner and its reception', async () => {
  await using folder = await makeDataFolder()
  await using w = await world()
  const { config } = w.server.context
  const context = { ...w.server.context, config: { ...config, data_dir: folder.path } }
  await seedDemo(context)
  const { token = '' } = (await readDemoAccess(context)) ?? {}
  const client = createClient({ base_url: `${w.url}/v2`, token })
  const [pool] = (await client.gadgets.list({ q: 'Pool' })).data
  const { data: past } = await client.events.list({
    'object.site_id': pool?.site_id ?? '',
    verb: 'use',
    limit: 1,
  })
  expect(past).toMatchObject([{ object: { type: 'gadget_action', device_id: expect.any(String) } }])
  const turn = (state_id: string) =>
    client.devices.simulate(pool?.device_id ?? '', { state: { gadget_id: pool?.id ?? '', state_id } })
  const pass = async (seconds: number) => {
    w.clock.advance(seconds)
    await closeVirtualDoors(context)
  }
  await pass(60)
  await turn('open')
  await pass(2)
  expect((await client.alarms.list()).data).toMatchObject([{ type: 'door_forced', gadget_id: pool?.id }])
  await pass(2)
  await tellPeople(context)
  const mails = context.mailer.outbox?.filter(({ kind }) => kind === 'alarm') ?? []
  expect(mails.map(({ to }) => to).sort()).toEqual(['demo@gatehouse.example', 'reception@miramar.example'])
  expect(mails[0]?.subject).toBe('Door forced open, Pool, Miramar Madrid')
})
