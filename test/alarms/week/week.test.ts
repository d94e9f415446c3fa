import { type AlarmType, fromMicroseconds, toMicroseconds } from '@gatehouse-access/core'
import { receiver, soak, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { followTurns, type Turn } from '../../../packages/server/src/alarms/begin-conditions.ts'
import { conditionKey } from '../../../packages/server/src/alarms/condition.ts'
import { followAlarms } from '../../../packages/server/src/alarms/following/follow-alarms.ts'
import { tendAlarms } from '../../../packages/server/src/alarms/tend-alarms.ts'
import { tickVirtualDevice } from '../../../packages/server/src/devices/virtual/schedules.ts'
import { serviceCaller } from '../../../packages/server/src/store/caller.ts'
import { tellPeople } from '../../../packages/server/src/telling/sending/tell-people.ts'
import { type Building, build, concerns, type Person, people } from './building.ts'
import { controllerCount } from './device-story.ts'
import { type Line, type Script, writeScript } from './script.ts'
import { begins, day, drill, hour, minute, week, works } from './times.ts'

const start = toMicroseconds(begins)
const timeOf = (seconds: number) => fromMicroseconds(start + Math.round(seconds * 1_000_000))

/** Something to do at a time. */
interface Deed {
  readonly at: number
  run(): Promise<unknown>
}

/** Spec, Shown by 3. Doors by the code of controllers, alarms and telling by that of the service, on a clock that is set. */
soak('a week of a building of 300 doors, and how many messages people get', async () => {
  await using told = await receiver()
  await using w = await world()
  w.clock.set(timeOf(-hour))
  const tenant = await w.tenant('Tower')
  const building = await build(w, tenant, told)
  const script = writeScript()
  const stage = new Stage(w, tenant, building)
  await stage.play(deedsOf(stage, script))
  const messages = told.received.map(({ path, event }) => ({
    person: path.slice(1) as Person,
    reason: String(event.reason),
    types: (event.alarms as { type: AlarmType }[]).map(({ type }) => type),
  }))
  await print(stage, script, messages)
  const total = (person: Person) => messages.filter(message => message.person === person).length
  // The owner hears of little that begins, and of what nobody takes in a night: that is what escalations are for.
  for (const person of ['guard', 'facility', 'it'] as const)
    expect(total(person)).toBeLessThan(naiveOf(script, person) / 2)
  expect(total('owner')).toBeLessThan(25)
  for (const type of ['door_forced', 'door_held', 'device_offline', 'emergency_started'] as const)
    expect(messages.some(({ reason, types }) => reason === 'opened' && types.includes(type))).toBe(true)
})

class Stage {
  readonly #w: World
  readonly #tenant: Tenant
  readonly #building: Building
  #position = ''
  #emergency = ''

  constructor(w: World, tenant: Tenant, building: Building) {
    this.#w = w
    this.#tenant = tenant
    this.#building = building
  }

  get db() {
    return this.#w.server.context.db
  }

  /** Goes from one thing to the next: what the script says, or what is due by then. */
  async play(deeds: readonly Deed[]): Promise<void> {
    this.#position = await this.#w.server.context.feed.head()
    let [next, last] = [0, 0]
    for (;;) {
      const due = await this.#nextDue()
      const at = Math.min(deeds[next]?.at ?? Infinity, Math.max(due, last + 0.25))
      if (at > week) return
      this.#w.clock.set(timeOf(at))
      for (; (deeds[next]?.at ?? Infinity) <= at; next++) await deeds[next]?.run()
      await tendAlarms(this.#w.server.context)
      await tellPeople(this.#w.server.context)
      last = at
    }
  }

  async #nextDue(): Promise<number> {
    const [row] = await this.db.query<{ due: string | null }>(
      `SELECT least((SELECT min(due_at) FROM alarm_timers WHERE kind <> 'stay'), (SELECT min(closes_at) FROM alarms),
         (SELECT min(due_at) FROM alarm_tellings), (SELECT min(next_attempt_at) FROM notifications WHERE status = 'pending')) AS due`,
    )
    return row?.due ? (toMicroseconds(row.due) - start) / 1_000_000 : Infinity
  }

  /** Reports to the service as doors and devices do. */
  async report(lines: readonly Line[]): Promise<void> {
    const author = { caller: serviceCaller(this.#tenant.organization_id), now: this.#w.clock.now() }
    await this.db.transaction(async db => {
      for (const { of, number, turn, type } of lines)
        if (of === 'device')
          await db.query('UPDATE devices SET status = status || $2 WHERE id = $1', [
            this.#building.devices[number],
            statusOf(type, turn === 'begin'),
          ])
      await followTurns(
        db,
        author,
        lines.map(line => this.#turnOf(line)),
      )
    })
  }

  #turnOf({ of, number, since, turn, type }: Line): Turn {
    const id = (of === 'door' ? this.#building.doors : this.#building.devices)[number] ?? ''
    const condition_key = conditionKey(type, id)
    if (turn === 'end') return { turn, condition_key, ended_at: timeOf(since) }
    const subject = of === 'door' ? { gadget_id: id } : { device_id: id }
    return { turn, type, condition_key, started_at: timeOf(since), ...subject }
  }

  async startDrill(): Promise<void> {
    const { client } = this.#tenant
    const targets = { site_ids: [this.#building.site_id] }
    const plan = await client.emergency_plans.create({ name: 'Fire', type: 'evacuation', targets })
    this.#emergency = (await client.emergencies.create({ emergency_plan_id: plan.id, is_drill: true })).id
    await this.#follow()
    await this.#drive()
  }

  async endDrill(): Promise<void> {
    await this.#tenant.client.emergencies.end(this.#emergency, {})
    await this.#follow()
    await this.#drive()
  }

  /** Controllers learn of the emergency, and confirm it. */
  async #drive(): Promise<void> {
    const { organization_id } = this.#tenant
    for (const device_id of this.#building.devices.slice(0, controllerCount))
      await tickVirtualDevice(this.#w.server.context, { organization_id, device_id })
  }

  async maintain(devices: readonly number[], until: number): Promise<void> {
    for (const number of devices)
      await this.#tenant.client.devices.maintenance(this.#building.devices[number] ?? '', {
        until: timeOf(until),
      })
  }

  /** Somebody looks at what is open and takes it. */
  async acknowledge(types: readonly string[]): Promise<void> {
    const rows = await this.db.query<{ id: string }>(
      `SELECT id FROM alarms WHERE state = 'open' AND type = ANY($1::text[]) LIMIT 100`,
      [types],
    )
    if (rows.length > 0)
      await this.#tenant.client.alarms.acknowledge_many({ alarm_ids: rows.map(({ id }) => id) })
  }

  /** Finds in the feed what is wrong, as the service does. */
  async #follow(): Promise<void> {
    const { feed } = this.#w.server.context
    const consumer = followAlarms(this.#w.server.context)
    for (;;) {
      const entries = await feed.page({ after: this.#position, batch: 500 })
      if (entries.length === 0) return
      await this.db.transaction(db => consumer.handle(db, entries))
      this.#position = entries.at(-1)?.position ?? this.#position
    }
  }
}

function statusOf(type: AlarmType, isOn: boolean): object {
  if (type === 'device_offline') return { online: !isOn }
  return type === 'device_power_lost' ? { mains_present: !isOn } : { battery_percent: isOn ? 15 : 90 }
}

/** Puts the script and what people do in order. Half a second is one report. */
function deedsOf(stage: Stage, { lines }: Script): Deed[] {
  const reports: Deed[] = []
  for (const own of Map.groupBy(lines, ({ at }) => Math.ceil(at * 2)).values())
    reports.push({ at: own.at(-1)?.at ?? 0, run: () => stage.report(own) })
  const floor = Array.from({ length: 10 }, (_, index) => works.floor * 10 + index)
  const deeds: Deed[] = [
    { at: drill.from, run: () => stage.startDrill() },
    { at: drill.until, run: () => stage.endDrill() },
    { at: works.from, run: () => stage.maintain(floor, works.until) },
  ]
  // The guard looks every four minutes, except in the nights to Saturday and Sunday; the others in the morning.
  for (let at = 2 * minute; at < week; at += 4 * minute) {
    const isAsleep = at > 5 * day && at % day < 6 * hour
    if (!isAsleep) deeds.push({ at, run: () => stage.acknowledge(concerns.guard) })
  }
  for (let at = 9 * hour; at < week; at += day)
    deeds.push({ at, run: () => stage.acknowledge([...concerns.facility, ...concerns.it]) })
  return [...reports, ...deeds].toSorted((one, other) => one.at - other.at)
}

const emergencies = 2

/** Every beginning and every end of what concerns a person. */
function naiveOf({ lines }: Script, person: Person): number {
  const types: readonly string[] = concerns[person]
  const ofEmergencies = types.includes('emergency_started') ? emergencies : 0
  return lines.filter(({ type }) => types.includes(type)).length + ofEmergencies
}

interface Message {
  readonly person: Person
  readonly reason: string
  readonly types: readonly AlarmType[]
}

async function print(stage: Stage, script: Script, messages: readonly Message[]): Promise<void> {
  const rawOf = (person: Person) => {
    const types: readonly AlarmType[] = concerns[person]
    return types.reduce(
      (sum, type) => sum + (script.raw.get(type) ?? 0),
      types.includes('emergency_started') ? emergencies : 0,
    )
  }
  console.table(
    people.map(person => {
      const own = messages.filter(message => message.person === person)
      const count = (reason: string) => own.filter(message => message.reason === reason).length
      return {
        person,
        'naive, raw contacts': rawOf(person),
        naive: naiveOf(script, person),
        messages: own.length,
        opened: count('opened'),
        repeated: count('repeated'),
        escalated: count('escalated'),
        ended: count('ended'),
        digest: count('digest'),
      }
    }),
  )
  const kinds = await stage.db.query<{
    type: AlarmType
    alarms: number
    occurrences: number
    explained: number
    maintained: number
  }>(
    `SELECT type, count(*)::integer AS alarms, sum(occurrence_count)::integer AS occurrences,
       count(*) FILTER (WHERE cause_alarm_id IS NOT NULL)::integer AS explained, count(*) FILTER (WHERE in_maintenance)::integer AS maintained
     FROM alarms GROUP BY type ORDER BY type`,
  )
  console.table(
    kinds.map(({ type, ...counted }) => ({
      type,
      'raw contacts, begins and ends': script.raw.get(type) ?? '',
      'begins and ends': script.lines.filter(line => line.type === type).length,
      ...counted,
      'messages that name it': messages.filter(({ types }) => types.includes(type)).length,
    })),
  )
}
