import { setTimeout as sleep } from 'node:timers/promises'
import type { Simulation } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import type { Building, Cast } from './building.ts'
import { describeOutcome } from './outcome.ts'

export interface Scene {
  /** Of the day that is played. */
  readonly clock: string
  readonly says: string
  /** Makes it happen, and returns what came of it. */
  play(client: Client, building: Building): Promise<string>
}

type Place = 'entrance' | 'offices'
type Person = keyof Building['people']

/** A day in the building. Everything is decided by the service and its controllers, as always. */
export const scenes: readonly Scene[] = [
  scene('07:31', 'Somebody types a PIN at the front door', at('entrance', { keys: '000000#' })),
  scene(
    '07:44',
    'An employee holds a card to the reader; nobody has opened the building yet',
    card('employee', 'entrance'),
  ),
  scene('07:52', 'The manager comes first, and opens with a phone', phone('manager', 'entrance')),
  scene('08:00', 'Is the front door unlocked for the day?', modeOf('front')),
  scene('08:05', 'The employee holds the card to the reader again', card('employee', 'entrance')),
  scene('08:20', 'The employee opens the office', card('employee', 'offices')),
  scene(
    '09:10',
    'A visitor, whom the office controller does not know, tries the office',
    card('visitor', 'offices'),
  ),
  scene('10:02', 'The office controller loses its network', at('offices', { network: 'offline' })),
  scene('10:15', 'The employee opens the office, which decides by itself', card('employee', 'offices')),
  scene('10:40', 'The network is back, and the controller reports', at('offices', { network: 'online' })),
  scene('11:00', 'A lockdown is drilled', startDrill),
  scene('11:01', 'The employee tries the office', card('employee', 'offices')),
  scene('11:02', 'The guard is exempt', card('guard', 'offices')),
  scene('11:03', 'Somebody leaves by the back door', exit),
  scene('11:10', 'The drill ends', endDrill),
  scene('11:12', 'The employee opens the office', card('employee', 'offices')),
  scene('14:30', 'A delivery: the front door is locked for a while', lockFront),
  scene('14:45', 'It goes back to its schedule', backToSchedule),
  scene('18:20', 'The last one leaves', signal('front', 'leaving')),
  scene('18:21', 'Is the front door locked for the night?', modeOf('front')),
]

function scene(clock: string, says: string, play: Scene['play']): Scene {
  return { clock, says, play }
}

function at(place: Place, body: Parameters<Client['devices']['simulate']>[1]): Scene['play'] {
  return async (client, building) => describeOutcome(await client.devices.simulate(building[place], body))
}

function card(person: Person, place: Place): Scene['play'] {
  return withPerson(person, (client, building, { uid }) =>
    client.devices.simulate(building[place], { card: { uid } }),
  )
}

function phone(person: Person, place: Place): Scene['play'] {
  return withPerson(person, (client, building, { member_id }) =>
    client.devices.simulate(building[place], { phone: { access_method: 'bluetooth', member_id } }),
  )
}

function withPerson(
  person: Person,
  act: (client: Client, building: Building, cast: Cast) => Promise<Simulation>,
): Scene['play'] {
  return async (client, building) => describeOutcome(await act(client, building, building.people[person]))
}

function signal(door: keyof Building['doors'], signal_id: string): Scene['play'] {
  return async (client, building) => {
    const body = { signal: { gadget_id: building.doors[door], signal_id } }
    return describeOutcome(await client.devices.simulate(building.entrance, body))
  }
}

function exit(client: Client, building: Building): Promise<string> {
  return signal('back', 'exit')(client, building)
}

function modeOf(door: keyof Building['doors']): Scene['play'] {
  return async (client, building) => {
    const { mode } = await settled(
      () => client.gadgets.get(building.doors[door]),
      ({ mode }) => mode?.is_confirmed === true,
    )
    return `it is ${mode?.effective} (${mode?.source})`
  }
}

const patience = 5000

/** Asks until the controllers have done what they should, or for some seconds. */
async function settled<Answer>(ask: () => Promise<Answer>, isSettled: (answer: Answer) => boolean) {
  const end = performance.now() + patience
  for (;;) {
    const answer = await ask()
    if (isSettled(answer) || performance.now() > end) return answer
    await sleep(100)
  }
}

async function startDrill(client: Client, { plan_id }: Building): Promise<string> {
  const { id } = await client.emergencies.create({
    emergency_plan_id: plan_id,
    is_drill: true,
    reason: 'Played by gatehouse simulate',
  })
  return arrived(client, id)
}

async function endDrill(client: Client, { plan_id }: Building): Promise<string> {
  const { data } = await client.emergencies.list({ emergency_plan_id: plan_id, is_active: true, limit: 1 })
  const [active] = data
  if (!active) return 'it has ended already'
  await client.emergencies.end(active.id, { reason: 'The drill is over' })
  return arrived(client, active.id)
}

async function arrived(client: Client, id: string): Promise<string> {
  const { confirmed_gadget_count, gadget_count } = await settled(
    () => client.emergencies.get(id),
    ({ arrival }) => arrival === 'applied',
  )
  return `${confirmed_gadget_count} of ${gadget_count} doors have confirmed`
}

async function lockFront(client: Client, { doors }: Building): Promise<string> {
  const body = { mode: 'controlled', reason: 'Played by gatehouse simulate' } as const
  const { mode } = await client.gadgets.mode(doors.front, body)
  return `it is ${mode?.effective} until ${mode?.until ?? 'further notice'}`
}

async function backToSchedule(client: Client, { doors }: Building): Promise<string> {
  const { mode } = await client.gadgets.mode(doors.front, { mode: 'scheduled' })
  return `it is ${mode?.effective} (${mode?.source})`
}
