import type { Receiver, Tenant, World } from '@gatehouse-access/testkit'
import { wholeDoor } from '../../doors/wired-building.ts'
import { controllerCount, deviceCount, gatewayOf } from './device-story.ts'
import { doorCount, doorsEach } from './door-story.ts'
import { hour } from './times.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const people = ['guard', 'facility', 'it', 'owner'] as const
export type Person = (typeof people)[number]

/** What each of them is told of, by rules. The naive system tells them of the same. */
export const concerns = {
  guard: ['door_forced', 'emergency_started', 'emergency_not_arrived'],
  facility: ['door_held', 'device_power_lost', 'device_battery_low'],
  it: ['device_offline'],
  owner: ['emergency_started', 'emergency_not_arrived'],
} as const

export interface Building {
  readonly site_id: string
  readonly doors: readonly string[]
  readonly devices: readonly string[]
}

/** A building of 300 doors on six floors, and who is told of what. */
export async function build(w: World, { client }: Tenant, told: Receiver): Promise<Building> {
  const site = await client.sites.create({ name: 'Tower', timezone: 'Europe/Madrid' })
  const devices: string[] = []
  for (let number = 0; number < deviceCount; number++) {
    const name = number < controllerCount ? `Box ${number}` : `Gateway ${number - controllerCount}`
    devices.push((await client.devices.create({ name, site_id: site.id, product_id: 'controller' })).id)
  }
  const { db } = w.server.context
  for (let number = 0; number < controllerCount; number++)
    await db.query('UPDATE devices SET gateway_device_id = $2 WHERE id = $1', [
      devices[number],
      devices[gatewayOf(number)],
    ])
  await db.query(`UPDATE devices SET status = status || $1`, [healthy])
  const doors: string[] = []
  for (let number = 0; number < doorCount; number++) {
    const device_id = devices[Math.floor(number / doorsEach)] ?? ''
    doors.push((await client.gadgets.create({ name: `Door ${number}`, device_id, ...wholeDoor })).id)
  }
  await addRules(client, told)
  return { site_id: site.id, doors, devices }
}

const healthy = { online: true, mains_present: true, battery_present: true, battery_percent: 90 }

async function addRules(client: Tenant['client'], told: Receiver): Promise<void> {
  const targetOf = async (person: Person) => {
    const url = `${told.url}/${person}`
    const { id } = await client.notification_targets.create({ kind: 'http', url, secret })
    return { notification_target_id: id }
  }
  const [guard, facility, it, owner] = [
    await targetOf('guard'),
    await targetOf('facility'),
    await targetOf('it'),
    await targetOf('owner'),
  ]
  const office = { ranges: [{ start: 8 * hour, end: 18 * hour }] }
  const free = { ranges: [] }
  const schedule = await client.schedules.create({
    name: 'Office',
    weekdays: [office, office, office, office, office, free, free],
  })
  await client.alarm_rules.create({
    name: 'Forced doors',
    types: ['door_forced'],
    notify: [guard],
    repeat_seconds: 600,
    escalate: [{ after_seconds: 900, notify: [owner] }],
  })
  await client.alarm_rules.create({
    name: 'Emergencies',
    types: ['emergency_started', 'emergency_not_arrived'],
    notify: [guard, owner],
  })
  await client.alarm_rules.create({
    name: 'Held doors',
    types: ['door_held'],
    schedule_id: schedule.id,
    delay_seconds: 60,
    notify: [facility],
  })
  await client.alarm_rules.create({
    name: 'Power',
    types: ['device_power_lost', 'device_battery_low'],
    notify: [facility],
  })
  await client.alarm_rules.create({ name: 'Network', types: ['device_offline'], notify: [it] })
}
