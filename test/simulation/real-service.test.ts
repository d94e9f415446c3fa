import { setTimeout as sleep } from 'node:timers/promises'
import type { JournalEvent } from '@gatehouse/api'
import { type Connect, webSocketTo } from '@gatehouse/edge'
import type { Client } from '@gatehouse/sdk'
import { type World, world } from '@gatehouse/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cable, layCable } from '../devices/cable.ts'
import { type Clockwork, SimulatedEdge, type Way } from './edge.ts'
import { Chance } from './random.ts'

/**
 * The same frail edges in real time, against the real gateway over real sockets: what the simulation assumes of the service holds
 * for it. Not to the microsecond repeatable, as the simulation is; the seed decides what is done.
 */
let w: World
let client: Client
let following: NodeJS.Timeout

beforeAll(async () => {
  w = await world()
  client = (await w.tenant()).client
  following = setInterval(() => w.clock.set(new Date().toISOString()), 20)
})
afterAll(async () => {
  clearInterval(following)
  await w[Symbol.asyncDispose]()
})

/** Real time, but nobody waits longer than a moment. */
const clockwork: Clockwork = {
  get now() {
    return Math.round((performance.timeOrigin + performance.now()) * 1000)
  },
  later(milliseconds, run) {
    const timer = setTimeout(run, Math.min(milliseconds, 150))
    return () => clearTimeout(timer)
  },
}

interface Door {
  readonly edge: SimulatedEdge
  readonly cable: Cable
  readonly gadget: string
  readonly device: string
}

async function build(site_id: string, name: string, chance: Chance): Promise<Door> {
  const hardware_id = `hw_${name}`
  const device = await client.devices.create({ name, site_id, product_id: 'controller', hardware_id })
  const states = [
    { id: 'closed', name: 'Closed' },
    { id: 'open', name: 'Open' },
  ]
  const gadget = await client.gadgets.create({ name, device_id: device.id, states })
  const { secret } = await client.devices.issue_credentials(device.id)
  const cable = await layCable(w.url)
  const connect = webSocketTo({ url: cable.url, hardware_id, secret })
  const edge = new SimulatedEdge(device.id, clockwork, chance, guarded(connect))
  return { edge, cable, gadget: gadget.id, device: device.id }
}

/** Nothing reaches a life that is over, and its socket goes with it. */
function guarded(connect: Connect): Way {
  return {
    connector: isAlive => handlers => {
      const check =
        <Rest extends unknown[]>(act: (...rest: Rest) => void) =>
        (...rest: Rest) => {
          if (isAlive()) act(...rest)
          else connection.close()
        }
      const connection = connect({
        open: check(() => handlers.open()),
        message: check(text => handlers.message(text)),
        close: check((code, reason) => handlers.close(code, reason)),
      })
      return connection
    },
  }
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let wait = 0; !(await isDone()); wait++) {
    if (wait > 300) throw new Error(`it did not come: ${what}`)
    await sleep(100)
  }
}

test.each([1, 2, 3])('three frail edges and the real service agree in the end (seed %i)', async seed => {
  const chance = new Chance(seed)
  const site = await client.sites.create({ name: `Site ${seed}`, timezone: 'Europe/Madrid' })
  const group = await client.member_groups.create({ name: 'G', permissions: [{ site_id: site.id }] })
  const doors = [
    await build(site.id, `A-${seed}-000`, chance),
    await build(site.id, `B-${seed}-000`, chance),
    await build(site.id, `C-${seed}-000`, chance),
  ]
  const people: { id: string; pin: string }[] = []
  const join = async () => {
    const { id } = await client.members.create({ name: 'P' })
    await client.member_group_associations.create(id, { member_group_id: group.id })
    people.push({ id, pin: (await client.member_pins.create(id, {})).pin })
  }
  const leave = async () => {
    const person = people.splice(chance.whole(0, people.length - 1), 1)[0]
    if (person) await client.members.delete(person.id)
  }
  const type = ({ edge }: Door) => {
    const pin = people.length > 0 && chance.happens(0.8) ? chance.pick(people).pin : '000000'
    const station = edge.agent.devices[0]?.station
    if (edge.isAlive) for (const key of `*${pin}#`) void station?.press(key)
  }
  for (let count = 0; count < 4; count++) await join()
  await sleep(300)
  for (let step = 0; step < 60; step++) {
    const door = chance.pick(doors)
    const happening = chance.whole(0, 11)
    if (happening <= 4) type(door)
    else if (happening === 5) await join()
    else if (happening === 6) await leave()
    else if (happening === 7) door.edge.crash(chance.pick(['power', 'process']))
    else if (happening === 8) door.cable.cut()
    else if (happening === 9) door.cable.mend()
    else if (happening === 10) door.edge.frailty = chance.pick([0, 0.03, 0.1])
    else if (door.edge.isAlive) void door.edge.agent.reportState(door.gadget, chance.pick(['open', 'closed']))
    await sleep(chance.between(0, 120))
  }
  for (const { edge, cable } of doors) {
    edge.frailty = 0
    cable.mend()
  }
  for (const door of doors) await compare(door, people)
  for (const { edge, cable } of doors) {
    edge.crash('process')
    await cable[Symbol.asyncDispose]()
  }
})

/** The service has every event once, as it was written; the edge has everybody who may open, and nobody else. */
async function compare(
  { edge, device }: Door,
  people: readonly { id: string; pin: string }[],
): Promise<void> {
  const policy = () => edge.agent.devices[0]?.station.policy
  await until('policy', async () =>
    people.every(({ id, pin }) => policy()?.identify('pin', pin)?.member_id === id),
  )
  await until(
    'events',
    async () => (await stored(device)).length >= edge.written.size && edge.disk.journal.size === 0,
  )
  const written = [...edge.written.values()].sort((a, b) => a.sequence - b.sequence)
  expect(await stored(device)).toEqual(written.map(summary))
  const members = edge.disk.rows().members
  expect([...members.keys()].sort()).toEqual(people.map(({ id }) => id).sort())
}

/** In the order in which the service stored them. */
async function stored(device: string): Promise<string[]> {
  const rows = await w.server.context.db.query<{ summary: string }>(
    `SELECT concat_ws(' ', object->>'type', coalesce(object->>'reason', object->>'gadget_state_id'), subject->>'member_pin_id') AS summary
     FROM events WHERE object->>'device_id' = $1 AND object->>'type' IN ('gadget_action', 'access_denial', 'gadget_state') ORDER BY sequence`,
    [device],
  )
  return rows.map(row => row.summary)
}

function summary(event: JournalEvent): string {
  const parts = {
    use: () => ['gadget_action', (event as { credential_id?: string }).credential_id],
    denial: () => [
      'access_denial',
      (event as { reason: string }).reason,
      (event as { credential_id?: string }).credential_id,
    ],
    state: () => ['gadget_state', (event as { state_id: string }).state_id],
  } as Record<string, () => (string | undefined)[]>
  return (parts[event.type]?.() ?? [event.type]).filter(Boolean).join(' ')
}
