import { doorTemplates } from '@gatehouse-access/api'
import { closeVirtualDoors } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchAlarms } from '../src/watch-alarms.ts'
import { gatehouse } from './gatehouse.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

const say = (...args: string[]) => gatehouse([...args, '--url', w.url], { DATABASE_URL: w.database_url })

test('a forced door is listed, watched and acknowledged', async () => {
  const { client } = await w.tenant('Office')
  const site = await client.sites.create({ name: 'Berlin', timezone: 'Europe/Berlin' })
  const device = await client.devices.create({ name: 'Lobby', site_id: site.id, product_id: 'controller' })
  const door = structuredClone(doorTemplates.holdable)
  const gadget = await client.gadgets.create({ name: 'Front door', device_id: device.id, ...door })
  const turn = (state_id: string) =>
    client.devices.simulate(device.id, { state: { gadget_id: gadget.id, state_id } })
  expect((await say('alarms')).stdout).toMatch(/^ID +SEVERITY +TYPE +WHERE +SINCE +ENDED +STATE\n$/)
  await turn('closed')
  w.clock.advance(10)
  await turn('open')
  w.clock.advance(2)
  await closeVirtualDoors(w.server.context)

  const [alarm] = (await client.alarms.list()).data
  const id = alarm?.id ?? ''
  const listed = await say('alarms', '--open')
  expect(listed.stdout).toMatch(new RegExp(`${id} +critical +door_forced +Front door, Berlin +\\S+Z +open\n`))
  const end = new AbortController()
  const shown: string[] = []
  const acknowledged = await new Promise<Awaited<ReturnType<typeof say>>>((resolve, reject) => {
    watchAlarms(client, {
      begin: async () => resolve(await say('alarms', 'ack', id, '--note', 'Ana')),
      show({ gadget, state }) {
        shown.push(`${gadget?.name} ${state}`)
        end.abort()
      },
      signal: end.signal,
    }).catch(reject)
  })
  expect(acknowledged).toEqual({ code: 0, stdout: `door_forced ${id} is acknowledged.\n`, stderr: '' })
  await expect.poll(() => shown).toEqual(['Front door acknowledged'])
  expect(await client.alarms.get(id)).toMatchObject({ state: 'acknowledged', note: 'Ana' })
  expect((await say('alarms', '--open', '--json')).stdout).toBe('')
  expect(JSON.parse((await say('alarms', '--json', '--limit', '1')).stdout)).toMatchObject({ id })
  const watched = await say('alarms', '--watch', '--seconds', '1', '--json')
  expect(watched).toEqual({ code: 0, stdout: expect.stringContaining(id), stderr: '' })
})

test('what cannot be done is said in a sentence', async () => {
  await w.tenant('Other')
  expect(await say('alarms', 'ack', 'alm_00000000000000000000')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^alm_00000000000000000000 was not acknowledged: .*\.\n$/),
  })
  expect((await say('alarms', '--instance', '--watch')).code).toBe(2)
  expect((await say('alarms', '--limit', 'all')).code).toBe(2)
  expect((await gatehouse(['alarms', '--help'])).stdout).toMatch(/--watch[\s\S]*gatehouse alarms ack ID/)
})

test('what is wrong with the installation is listed apart from what is wrong in organizations', async () => {
  const { instance_alarms } = w.server.context
  const condition = { type: 'backup_failed', reason: 'base', place: 'house' } as const
  instance_alarms.raise({ ...condition, message: 'the folder is full' })
  await instance_alarms.settled()
  expect((await say('alarms', '--instance', '--open')).stdout).toMatch(
    /ial_\w+ +backup_failed +base +house +\S+Z +the folder is full\n$/,
  )
  expect((await say('alarms')).stdout).not.toContain('backup_failed')
  instance_alarms.end(condition)
  await instance_alarms.settled()
  expect((await say('alarms', '--instance', '--open', '--json')).stdout).toBe('')
  expect(JSON.parse((await say('alarms', '--instance', '--json')).stdout)).toMatchObject(condition)
})
