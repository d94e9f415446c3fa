import {
  Agent,
  MemoryDisk,
  nodePlatform,
  openMemoryStorage,
  SimulatedDriver,
  webSocketTo,
} from '@gatehouse-access/edge'
import type { Client } from '@gatehouse-access/sdk'
import type { Receiver } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import type { Smtp } from '../telling/smtp.ts'

const named = (...ids: string[]) => ids.map(id => ({ id, name: id }))
export const gate = {
  actions: named('open'),
  states: named('closed', 'open'),
  signals: named('exit'),
  door: {
    release_action_id: 'open',
    exit_signal_id: 'exit',
    open_state_id: 'open',
    closed_state_id: 'closed',
  },
}

export interface Place {
  readonly client: Client
  readonly site_id: string
  readonly smtp: Smtp
  readonly ntfy: Receiver
}

/** A door of whose alarms one mailbox and one topic are told, and nobody else. */
export interface GuardedDoor {
  readonly name: string
  readonly gadget_id: string
  readonly address: string
  readonly topic: string
  /** Moves the contact. */
  touch(state_id: 'open' | 'closed'): Promise<unknown>
}

/** A door of a virtual device. */
export async function addVirtualDoor(place: Place, name: string): Promise<GuardedDoor> {
  const { client, site_id } = place
  const device = await client.devices.create({ name, site_id, product_id: 'controller' })
  const { id: gadget_id } = await client.gadgets.create({ name, device_id: device.id, ...gate })
  const touch = (state_id: string) => client.devices.simulate(device.id, { state: { gadget_id, state_id } })
  await touch('closed')
  return { name, gadget_id, touch, ...(await addGuard(place, name, gadget_id)) }
}

/** A door of a controller that runs here and is connected as controllers in buildings are. */
export async function addControlledDoor(
  place: Place,
  name: string,
  url: string,
  owned: AsyncDisposableStack,
): Promise<GuardedDoor> {
  const { client, site_id } = place
  const hardware_id = `hw_${name.toUpperCase()}`
  const device = await client.devices.create({ name, site_id, product_id: 'controller', hardware_id })
  const { id: gadget_id } = await client.gadgets.create({ name, device_id: device.id, ...gate })
  const { secret } = await client.devices.issue_credentials(device.id)
  const guard = await addGuard(place, name, gadget_id)
  const platform = nodePlatform()
  const agent = owned.use(
    new Agent({
      platform,
      log: { info: () => {}, error: () => {} },
      driver: new SimulatedDriver(platform),
      connect: webSocketTo({ url, hardware_id, secret }),
      devices: [{ hardware_id, secret, storage: openMemoryStorage(new MemoryDisk(`journal-${name}`)) }],
    }),
  )
  agent.start()
  await expect.poll(() => agent.devices[0]?.station.device_id).toBe(device.id)
  const touch = (state_id: string) => agent.reportState(gadget_id, state_id)
  await expect.poll(() => touch('closed')).not.toEqual([])
  return { name, gadget_id, touch, ...guard }
}

async function addGuard({ client, smtp, ntfy }: Place, name: string, gadget_id: string) {
  const address = `${name}@guards.example`
  const mail = await client.notification_targets.create({ kind: 'email', address })
  await client.notification_targets.send_code(mail.id)
  await expect.poll(() => mailsTo(smtp, address).length).toBe(1)
  const [letter] = mailsTo(smtp, address)
  if (letter) smtp.received.splice(smtp.received.indexOf(letter), 1)
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(letter?.text ?? '')?.[0] ?? ''
  await client.notification_targets.verify(mail.id, { code })
  const published = await client.notification_targets.create({ kind: 'ntfy', url: ntfy.url, topic: name })
  await client.alarm_rules.create({
    name,
    types: ['door_forced'],
    targets: { gadget_ids: [gadget_id] },
    notify: [{ notification_target_id: mail.id }, { notification_target_id: published.id }],
  })
  return { address, topic: name }
}

export function mailsTo({ received }: Smtp, address: string) {
  return received.filter(({ to }) => to?.some(one => one.address === address))
}

export function publishedTo({ received }: Receiver, topic: string) {
  return received.filter(({ event }) => event.topic === topic)
}
