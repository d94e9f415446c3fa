import { doorTemplates } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { isSoak, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The sources that set the mode of a door, strongest first. */
const sources = ['fire', 'evacuation', 'lockdown', 'override', 'unlock_rule'] as const
type Source = (typeof sources)[number]

/** The table, written by hand: what each source makes of a door that no stronger one sets, and who passes. */
const table = {
  fire: { effective: 'evacuation', source: 'fire', ordinary: null, exempt: null, visitor: null },
  evacuation: { effective: 'evacuation', source: 'emergency', ordinary: null, exempt: null, visitor: null },
  lockdown: {
    effective: 'lockdown',
    source: 'emergency',
    ordinary: 'lockdown',
    exempt: null,
    visitor: 'no_matching_rule',
  },
  override: {
    effective: 'controlled',
    source: 'override',
    ordinary: null,
    exempt: null,
    visitor: 'no_matching_rule',
  },
  unlock_rule: { effective: 'unlocked', source: 'unlock_rule', ordinary: null, exempt: null, visitor: null },
  default: {
    effective: 'controlled',
    source: 'default',
    ordinary: null,
    exempt: null,
    visitor: 'no_matching_rule',
  },
} as const

/** Every combination once. Each differs from the one before by one source. */
const combinations = Array.from({ length: 2 ** sources.length }, (_, index) => {
  const bits = index ^ (index >> 1)
  return sources.filter((_, place) => (bits >> place) % 2 === 1)
})

function winner(held: readonly Source[]) {
  return table[sources.find(source => held.includes(source)) ?? 'default']
}

let w: World
let client: Client
let building: Awaited<ReturnType<typeof build>>

beforeAll(async () => {
  w = await world()
  w.clock.set('2026-11-17T10:00:00Z')
  client = (await w.tenant()).client
  building = await build()
})
afterAll(() => w[Symbol.asyncDispose]())

/**
 * One door at a virtual controller, with a fire contact. The evacuation and the lockdown go on elsewhere all the
 * time: a tag makes the door one of theirs, as both cannot be started for one door.
 */
async function build() {
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const device_id = (
    await client.devices.create({ name: 'Controller', site_id: site.id, product_id: 'controller' })
  ).id
  const template = structuredClone(doorTemplates.magnetic)
  const door = await client.gadgets.create({ name: 'Door', device_id, ...template })
  w.clock.advance(1)
  const contact = await client.gadgets.create({
    name: 'Fire panel',
    device_id,
    actions: [{ id: 'test', name: 'Test' }],
    states: [
      { id: 'quiet', name: 'Quiet' },
      { id: 'alarm', name: 'Alarm' },
    ],
  })
  await client.sites.edit(site.id, {
    fire: { source_gadget_id: contact.id, source_state_id: 'alarm', release_gadget_ids: [] },
  })
  const people = await invite(site.id, contact.id)
  const tags = {
    evacuation: await startElsewhere('evacuation'),
    lockdown: await startElsewhere('lockdown', people.group),
  }
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] }))
  const schedule = await client.schedules.create({ name: 'Always', weekdays })
  const rule = await client.unlock_rules.create({
    name: 'Open',
    site_id: site.id,
    gadget_ids: [door.id],
    schedule_id: schedule.id,
    is_enabled: false,
  })
  return { site: site.id, device: device_id, door: door.id, contact: contact.id, rule: rule.id, tags, people }
}

async function invite(site_id: string, gadget_id: string) {
  const all = await client.member_groups.create({ name: 'All', permissions: [{ site_id }] })
  // A controller knows only members who may use something of its own.
  const visitors = await client.member_groups.create({ name: 'Visitors', permissions: [{ gadget_id }] })
  const guards = await client.member_groups.create({ name: 'Guards', permissions: [] })
  const make = async (uid: string, ...groups: string[]) => {
    const { id } = await client.members.create({})
    for (const member_group_id of groups)
      await client.member_group_associations.create(id, { member_group_id })
    await client.member_cards.create(id, { uid })
    return id
  }
  return {
    group: guards.id,
    ordinary: await make(cards.ordinary, all.id),
    exempt: await make(cards.exempt, all.id, guards.id),
    visitor: await make(cards.visitor, visitors.id),
  }
}

const cards = { ordinary: '0A0A0A01', exempt: '0A0A0A02', visitor: '0A0A0A03', stranger: '0A0A0A04' }
type Person = keyof typeof cards

async function startElsewhere(type: 'evacuation' | 'lockdown', exempt?: string): Promise<string> {
  const tag = await client.tags.create({ name: type })
  const site = await client.sites.create({ name: 'Elsewhere', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const template = structuredClone(doorTemplates.holdable)
  await client.gadgets.create({ name: type, device_id: device.id, tag_ids: [tag.id], ...template })
  await client.emergencies.create({
    type,
    targets: { tag_ids: [tag.id] },
    ...(exempt && { exempt_member_group_ids: [exempt] }),
  })
  return tag.id
}

const senses = (state_id: string) =>
  client.devices.simulate(building.device, { state: { gadget_id: building.contact, state_id } })

/** Makes exactly these sources hold. */
async function hold(held: readonly Source[], before: readonly Source[]): Promise<void> {
  const { door, rule, site, tags } = building
  const [changed] = sources.filter(source => held.includes(source) !== before.includes(source))
  if (changed === undefined) return
  const isOn = held.includes(changed)
  const changes: Record<Source, () => Promise<unknown>> = {
    fire: async () => {
      await senses(isOn ? 'alarm' : 'quiet')
      if (!isOn) await client.sites.fire_reset(site)
    },
    evacuation: tag,
    lockdown: tag,
    override: () =>
      client.gadgets.mode(door, isOn ? { mode: 'controlled', lasts: 'indefinitely' } : { mode: 'scheduled' }),
    unlock_rule: () => client.unlock_rules.edit(rule, { is_enabled: isOn }),
  }
  await changes[changed]()

  async function tag(): Promise<void> {
    const tagged = (['evacuation', 'lockdown'] as const).filter(source => held.includes(source))
    await client.gadgets.edit(door, { tag_ids: tagged.map(source => tags[source]) })
  }
}

const check = async (person: 'ordinary' | 'exempt' | 'visitor') =>
  client.access_checks.create({
    member_id: building.people[person],
    gadget_id: building.door,
    action_id: 'open',
    access_method: 'card',
  })

/** Returns the reason for which the controller denies a card; null if it opens the door. */
async function tap(person: Person): Promise<unknown> {
  const { events } = await client.devices.simulate(building.device, { card: { uid: cards[person] } })
  const told = events.find(({ type }) => type === 'use' || type === 'denial')
  return told?.type === 'use' ? null : told?.reason
}

async function agreeAtTheDoor(expected: ReturnType<typeof winner>): Promise<void> {
  for (const person of ['ordinary', 'exempt', 'visitor'] as const)
    expect([person, await tap(person)]).toEqual([person, expected[person]])
  expect(await tap('stranger')).toBe('unknown_credential')
}

/** A controller takes its time, so few combinations are tried at the door in `npm test`. */
const atTheDoor: ReadonlySet<number> = new Set(isSoak ? combinations.keys() : [0, 1, 7, 8, 15, 31])

test(
  'the strongest source decides, and who passes follows from it, also without a network',
  within(120),
  async () => {
    let before: readonly Source[] = []
    for (const [place, held] of combinations.entries()) {
      await hold(held, before)
      before = held
      const expected = winner(held)
      const { effective, source } = expected
      expect([held, (await client.gadgets.get(building.door)).mode]).toMatchObject([
        held,
        { effective, source },
      ])
      for (const person of ['ordinary', 'exempt', 'visitor'] as const)
        expect([held, person, await check(person)]).toMatchObject([
          held,
          person,
          { reason: expected[person], door: { mode: effective, source } },
        ])
      if (!atTheDoor.has(place)) continue
      await agreeAtTheDoor(expected)
      await client.devices.simulate(building.device, { network: 'offline' })
      await agreeAtTheDoor(expected)
      await client.devices.simulate(building.device, { network: 'online' })
    }
  },
)
