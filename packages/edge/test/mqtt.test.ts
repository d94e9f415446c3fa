import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '@gatehouse-access/testkit'
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfigFile } from '../src/config.ts'
import { MqttDriver } from '../src/drivers/mqtt.ts'
import { Agent, nodePlatform, openSqliteStorage, type Storage, silentLog } from '../src/index.ts'
import { type Broker, startBroker } from './broker.ts'
import { makeFolder } from './edge.ts'
import { cardHash, Feeder, keypad, ownDevice, pinHash, trigger } from './slices.ts'

const owned = new AsyncDisposableStack()
let broker: Broker
let building: MqttClient
let agent: Agent
let storage: Storage
const seen: string[] = []

const site = { id: 'site_a', timezone: 'Europe/Madrid' }
const named = (...ids: string[]) => ids.map(id => ({ id }))
const gadget = (id: string, actions: string[], states: string[] = [], signals: string[] = []) => ({
  id,
  site_id: site.id,
  device_id: ownDevice,
  actions: named(...actions),
  states: named(...states),
  signals: named(...signals),
})

/** A confirming Tasmota relay, a zigbee2mqtt contact with JSON, an ESPHome light, a keypad and a reader. */
const config = (url: string) => ({
  mqtt: {
    url,
    inputs: [
      { type: 'keys', topic: 'street/keypad/key' },
      { type: 'card', topic: 'street/reader', path: 'tag.uid' },
    ],
    gadgets: {
      gad_door: {
        actions: {
          open: {
            topic: 'cmnd/door/POWER',
            payload: 'ON',
            confirm: { topic: 'stat/door/POWER', equals: 'ON' },
          },
        },
        states: [
          { id: 'open', topic: 'zigbee2mqtt/door', path: 'contact', equals: false },
          { id: 'closed', topic: 'zigbee2mqtt/door', path: 'contact', equals: true },
        ],
        signals: [{ id: 'bell', topic: 'zigbee2mqtt/bell', path: 'action', equals: 'single' }],
      },
      gad_light: { actions: { on: { topic: 'light/command', payload: 'ON' } } },
    },
  },
})

beforeAll(async () => {
  broker = owned.use(await startBroker())
  building = await mqtt.connectAsync(broker.url)
  owned.defer(() => building.endAsync(true))
  building.on('message', (topic, payload) => {
    seen.push(`${topic} ${payload}`)
    if (topic === 'cmnd/door/POWER') building.publish('stat/door/POWER', 'ON')
  })
  await building.subscribeAsync(['cmnd/door/POWER', 'light/command'])
  const folder = owned.use(makeFolder())
  const file = join(folder.path, 'edge.json')
  writeFileSync(file, JSON.stringify(config(broker.url)))
  const { mqtt: read } = readConfigFile(file)
  if (!read) throw new Error('the config has no broker')
  const platform = nodePlatform()
  const driver = owned.use(new MqttDriver({ config: read, platform, log: silentLog }, () => agent))
  storage = openSqliteStorage(join(folder.path, 'edge.sqlite'), 'journal-of-tests')
  const connect = () => ({ send: () => {}, hold: () => {}, close: () => {} })
  agent = owned.use(
    new Agent({ platform, driver, log: silentLog, connect, devices: [{ hardware_id: 'hw_TEST', storage }] }),
  )
  const [device] = agent.devices
  device?.name(ownDevice)
  await new Feeder(device as never).snapshot({
    sites: [site],
    devices: [keypad([{ code: '', gadget_id: 'gad_door', action_id: 'open' }])],
    gadgets: [gadget('gad_door', ['open'], ['open', 'closed'], ['bell']), gadget('gad_light', ['on'])],
    groups: [{ id: 'mg_a', permissions: [{ rule_index: 0 }] }],
    triggers: [
      trigger({ id: 'gt_state', source_gadget_id: 'gad_door', source_state_id: 'open' }),
      trigger({
        id: 'gt_bell',
        source_type: 'signal',
        source_gadget_id: 'gad_door',
        source_signal_id: 'bell',
      }),
    ],
    members: [
      {
        id: 'mem_a',
        associations: [{ id: 'mga_a', member_group_id: 'mg_a' }],
        credentials: [
          { id: 'mp_a', kind: 'pin', hash: pinHash('123456') },
          { id: 'mc_a', kind: 'card', hash: cardHash('04A1B2C3') },
        ],
      },
    ],
  } as never)
  // Publishes until a message has an effect, which shows that the subscriptions are active.
  for (let wait = 0; agent.devices[0]?.recorder.last_sequence === 0 && wait < 2000; wait++) {
    building.publish('street/keypad/key', '0#')
    await sleep(25)
  }
}, within(120).timeout)
afterAll(() => owned.disposeAsync())

async function after(count: number): Promise<string[]> {
  for (let wait = 0; seen.length < count && wait < 3000; wait++) await sleep(10)
  await sleep(50)
  return seen.splice(0)
}

describe('a broker in the building', () => {
  test('keys on a topic open the relay on another', async () => {
    for (const key of '123456') building.publish('street/keypad/key', key)
    building.publish('street/keypad/key', '#')
    expect(await after(1)).toEqual(['cmnd/door/POWER ON'])
    const used = { type: 'use', gadget_id: 'gad_door', credential_id: 'mp_a' }
    await expect.poll(async () => (await journal()).at(-1)).toMatchObject(used)
  })

  test('a wrong PIN opens nothing', async () => {
    building.publish('street/keypad/key', '654321#')
    const denied = { type: 'denial', reason: 'unknown_credential' }
    await expect.poll(async () => (await journal()).at(-1)).toMatchObject(denied)
    expect(await after(0)).toEqual([])
  })

  test('a card in JSON opens, too, however its UID is written', async () => {
    building.publish('street/reader', JSON.stringify({ tag: { uid: '04:a1:b2:c3' } }))
    expect(await after(1)).toEqual(['cmnd/door/POWER ON'])
  })

  test('a contact that opens and a bell turn on the light by their triggers', async () => {
    building.publish('zigbee2mqtt/door', JSON.stringify({ contact: false, battery: 80 }), { retain: true })
    expect(await after(1)).toEqual(['light/command ON'])
    building.publish('zigbee2mqtt/door', JSON.stringify({ contact: false, battery: 79 }))
    building.publish('zigbee2mqtt/bell', JSON.stringify({ action: 'single' }))
    expect(await after(1)).toEqual(['light/command ON'])
    await expect
      .poll(async () => (await journal()).slice(-4).map(({ type }) => type))
      .toEqual(['state', 'trigger', 'signal', 'trigger'])
  })

  test('a relay that does not answer is no opening', async () => {
    building.removeAllListeners('message')
    building.on('message', (topic, payload) => void seen.push(`${topic} ${payload}`))
    const [event] = (await agent.devices[0]?.station.tap('04A1B2C3')) ?? []
    expect(event).toMatchObject({ type: 'denial', reason: 'hardware_failed' })
  })
})

async function journal() {
  await agent.devices[0]?.recorder.write()
  return storage.readJournal(0, 500)
}
