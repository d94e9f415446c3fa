import type { JournalEvent } from '@gatehouse-access/api'
import { finish, isHeldOpen, toMicroseconds } from '@gatehouse-access/core'
import type { Moment } from '../../packages/server/src/database/moment.ts'
import type { SimulatedEdge } from './edge.ts'
import type { ForgetfulLane } from './lane.ts'
import type { Leases } from './leases.ts'
import type { Oracle } from './oracle.ts'
import type { Person } from './organization.ts'
import type { SimulatedService } from './service.ts'
import type { SimulatedTime } from './time.ts'

/** Everything that the checks examine. */
export interface Scene {
  readonly lane: ForgetfulLane
  readonly time: SimulatedTime
  readonly service: SimulatedService
  readonly edges: readonly SimulatedEdge[]
  readonly oracle: Oracle
  readonly leases: Leases
}

interface PolicyRow {
  readonly device_id: string
  readonly version: number
  readonly hash: string | null
  readonly applied_version: number
  readonly applied_hash: string | null
  readonly applied_epoch: number
  readonly applied_snapshot: string | null
  readonly is_online: boolean
}

function readPolicies({ lane, service }: Scene): Promise<PolicyRow[]> {
  return lane.db.query<PolicyRow & object>(
    `SELECT p.device_id, p.version::float8 AS version, p.hash, p.applied_version::float8 AS applied_version, p.applied_hash,
       p.applied_epoch, p.applied_snapshot::text AS applied_snapshot, (d.status->>'online')::boolean AS is_online
     FROM device_policies p JOIN devices d ON d.organization_id = p.organization_id AND d.id = p.device_id
     WHERE p.organization_id = $1`,
    [service.building.organization_id],
  )
}

/** Returns everyone who was ever there, because a former member must not be admitted. */
function everybody({ service }: Scene): Person[] {
  const people = new Map<string, Person>()
  for (let state = 0; state <= service.newest; state++)
    for (const person of service.stateAt(state).people) people.set(`${person.id} ${person.pin}`, person)
  return [...people.values()]
}

/** Before everything. */
const night = '1970-01-01T00:00:00Z'
/** Microseconds by which the clock of a controller may differ. */
const near = 2e6

/** Microseconds of silence after which a device is shown offline, with a margin for a slow database. */
const longestOnline = 55e6
/** A process that ends takes with it what it was about to notice. Another one does when its lease is over, in a sweep. */
const leaseAndSweep = 20e6

/**
 * Checks the service's claims about devices at any moment: what it considers applied is on the device's disk
 * and in force, and a device shown online was heard from recently.
 */
export async function checkClaims(scene: Scene): Promise<string[]> {
  const problems: string[] = []
  for (const row of await readPolicies(scene)) {
    const edge = scene.edges.find(({ door }) => door.device_id === row.device_id) as SimulatedEdge
    if (row.applied_version > 0 && !edge.versions.has(`${row.applied_version} ${row.applied_hash}`))
      problems.push(`${nameOf(edge)} is said to have ${row.applied_version}, which it never stored`)
    const since = Math.max(edge.network.heardAt, scene.service.upSince)
    const silence = scene.time.now - since
    const longest = longestOnline + (scene.service.endedAt > since ? leaseAndSweep : 0)
    if (row.is_online && silence > longest)
      problems.push(`${nameOf(edge)} is shown online after ${silence / 1e6} s of silence`)
    if (row.applied_snapshot && edge.isAlive)
      problems.push(
        ...checkApplied(scene, edge, { epoch: row.applied_epoch, snapshot: row.applied_snapshot }),
      )
  }
  return [...problems, ...(await checkConfirmed(scene)), ...scene.leases.check(scene.edges)]
}

interface ReportedDoor {
  readonly gadget_id: string
  readonly mode: string
  readonly outcome: string
  readonly emergency_ids: readonly string[]
}

function readDoors({ lane, service }: Scene): Promise<ReportedDoor[]> {
  return lane.db.query<ReportedDoor & object>(
    'SELECT gadget_id, mode, outcome, emergency_ids FROM door_modes WHERE organization_id = $1',
    [service.building.organization_id],
  )
}

/** The service says that a lockdown has arrived: then it is on the disk there, and the door is not held open. */
async function checkConfirmed(scene: Scene): Promise<string[]> {
  const { service, time } = scene
  const active = new Map(service.stateAt(service.newest).emergencies.map(row => [row.id, row]))
  const problems: string[] = []
  for (const { emergency_ids, gadget_id, mode, outcome } of await readDoors(scene)) {
    const edge = scene.edges.find(({ door }) => door.gadget_id === gadget_id) as SimulatedEdge
    const still = emergency_ids.filter(
      id => toMicroseconds(active.get(id)?.held_until ?? night) > time.now + near,
    )
    if (mode !== 'lockdown' || outcome !== 'done' || still.length === 0 || !edge.isAlive) continue
    const known = edge.agent.devices[0]?.station.policy.rows('emergencies')
    if (!still.every(id => known?.has(id)))
      problems.push(`${nameOf(edge)} is said to be locked down by ${still}, which it does not know`)
    if (isHeld(edge)) problems.push(`${nameOf(edge)} is said to be locked down, and is held open`)
  }
  return problems
}

/** What the hardware did last. */
function isHeld({ door, driven }: SimulatedEdge): boolean {
  const last = driven.findLast(
    ({ action_id, gadget_id }) => gadget_id === door.gadget_id && action_id !== 'open',
  )
  return last?.action_id === 'hold'
}

/** Expects that the doors are what they should be by now, and that the service knows it. */
async function checkDoors(scene: Scene): Promise<string[]> {
  const reported = new Map((await readDoors(scene)).map(row => [row.gadget_id, row]))
  return scene.edges.flatMap(edge => {
    const mode = scene.oracle.modeNow(edge.door.gadget_id, scene.time.now)?.effective ?? 'controlled'
    const told = reported.get(edge.door.gadget_id)?.mode
    const problems = told === mode ? [] : [`${nameOf(edge)} is ${mode}, and the service was told ${told}`]
    if (isHeld(edge) !== isHeldOpen(mode)) problems.push(`${nameOf(edge)} is ${mode}, and not driven so`)
    return problems
  })
}

/** Expects that everything committed before a confirmed version was made is in force on the device. */
function checkApplied(scene: Scene, edge: SimulatedEdge, moment: Moment): string[] {
  const { service, oracle } = scene
  const range = { first: service.stateIn(moment), last: service.newest }
  return answersOf(scene, edge).flatMap(({ input, answer }) =>
    oracle.allows(answer, input, range)
      ? []
      : [
          `${nameOf(edge)} answers ${answer} to ${input.secret} although it confirmed state ${range.first} of ${range.last}`,
        ],
  )
}

/** Returns how an edge would now answer each PIN that ever existed. */
function answersOf(scene: Scene, edge: SimulatedEdge) {
  const { now } = scene.time
  const { door } = edge
  const policy = edge.agent.devices[0]?.station.policy
  return everybody(scene).map(({ pin }) => {
    const input = { door, kind: 'pin' as const, secret: pin, at: now }
    const found = policy?.identify('pin', pin)
    const question = { gadget_id: door.gadget_id, action_id: 'open', at: now, access_method: 'pin' as const }
    const decision = found && policy && finish(policy.decide({ ...question, ...credential(found) }))
    return { input, answer: decision ? decision.reason : 'unknown_credential' }
  })
}

function credential(found: { member_id: string; credential_id?: string }) {
  return { member_id: found.member_id, ...(found.credential_id && { credential_id: found.credential_id }) }
}

/** Checks the final state, after a calm period. */
export async function checkEnd(scene: Scene): Promise<string[]> {
  const problems = await checkClaims(scene)
  const rows = await readPolicies(scene)
  for (const edge of scene.edges) {
    const row = rows.find(({ device_id }) => device_id === edge.door.device_id)
    problems.push(
      ...checkConverged(scene, edge, row),
      ...(await checkJournal(scene, edge)),
      ...(await checkCommands(scene, edge)),
    )
  }
  return [...problems, ...(await checkDoors(scene))]
}

function checkConverged(scene: Scene, edge: SimulatedEdge, row: PolicyRow | undefined): string[] {
  const head = edge.agent.devices[0]?.intake.head
  const name = nameOf(edge)
  if (!edge.isAlive || !edge.agent.link.is_live || !row?.is_online) return [`${name} is not connected`]
  if (head?.version !== row.version || head.hash !== row.hash)
    return [`${name} has ${head?.version}, and the service wants ${row.version}`]
  if (head.version !== row.applied_version || head.hash !== row.applied_hash)
    return [`${name} has ${head.version}, and the service knows of ${row.applied_version}`]
  const { emergencies } = scene.service.stateAt(scene.service.newest)
  const active = emergencies.filter(({ targets }) => targets.gadget_ids?.includes(edge.door.gadget_id))
  const known = [...(edge.agent.devices[0]?.station.policy.rows('emergencies').keys() ?? [])]
  if (
    known.sort().join() !==
    active
      .map(({ id }) => id)
      .sort()
      .join()
  )
    return [`${name} knows of the emergencies ${known}, and ${active.map(({ id }) => id)} are active`]
  const wrong = answersOf(scene, edge).filter(({ input, answer }) => scene.oracle.answerNow(input) !== answer)
  return wrong.map(
    ({ input, answer }) =>
      `${name} answers ${answer} to ${input.secret}, the engine ${scene.oracle.answerNow(input)}`,
  )
}

interface StoredEvent {
  readonly summary: string
  readonly created_at: string
  readonly clock_adjusted: boolean
}

/** Everything happens in one night. Planning a question to the partitions of all months would take longer than the answer. */
const inItsMonth = `recorded_at >= '2026-03-01T00:00:00Z' AND recorded_at < '2026-04-01T00:00:00Z'`

/**
 * Expects that nothing is lost or duplicated, that the order is kept, and that every event is stored as
 * written.
 */
async function checkJournal({ lane, service }: Scene, edge: SimulatedEdge): Promise<string[]> {
  const { door, disk, written } = edge
  const stored = await lane.db.query<StoredEvent & object>(
    `SELECT concat_ws(' ', object->>'type', object->>'gadget_action_id', object->>'mode', object->>'reason', object->>'gadget_state_id', object->>'gadget_signal_id',
       subject->>'access_method', subject->>'member_id', subject->>'member_pin_id', subject->>'member_card_id') AS summary, created_at, clock_adjusted
     FROM events WHERE ${inItsMonth} AND organization_id = $1 AND object->>'device_id' = $2 AND
       (object->>'gadget_id' = $3 OR object->>'type' = 'access_denial' OR object->>'reason' IN ('event_refused', 'events_lost'))
       AND verb <> 'delete' AND NOT object->>'type' = 'gadget' ORDER BY sequence`,
    [service.building.organization_id, door.device_id, door.gadget_id],
  )
  const problems: string[] = []
  const [got, expected] = [stored.map(({ summary }) => summary), written.map(summarize)]
  const place = expected.findIndex((summary, index) => got[index] !== summary)
  if (place >= 0 || got.length !== expected.length)
    problems.push(
      `${nameOf(edge)} wrote ${expected.length} events and the service has ${got.length}; from ${place}: ${expected.slice(place, place + 3)} | ${got.slice(place, place + 3)}`,
    )
  if (written.some(({ sequence }, index) => sequence !== index + 1))
    problems.push(
      `${nameOf(edge)}: the numbers have gaps or repeat: ${written.map(({ sequence }) => sequence)}`,
    )
  for (const [index, event] of stored.entries())
    if (!event.clock_adjusted && event.created_at !== written[index]?.occurred_at)
      problems.push(`${nameOf(edge)}: ${event.summary} has another time than ${written[index]?.occurred_at}`)
  if (stored.some(({ created_at }, index) => created_at < (stored[index - 1]?.created_at ?? '')))
    problems.push(`${nameOf(edge)}: times run back`)
  if (disk.journal.size > 0) problems.push(`${nameOf(edge)} still holds what it has uploaded`)
  return problems
}

function summarize(event: JournalEvent): string {
  const types = {
    use: 'gadget_action',
    denial: 'access_denial',
    state: 'gadget_state',
    signal: 'gadget_signal',
    mode: 'gadget_mode',
    exit: 'gadget_action',
  } as Record<string, string>
  const told = event as Record<string, unknown> & JournalEvent
  const credentialId = told.credential_id
  return [
    types[event.type] ?? event.type,
    told.action_id,
    told.mode,
    told.reason ?? told.cause,
    told.state_id,
    told.signal_id,
    told.access_method,
    told.member_id,
    credentialId,
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * Expects each command to run at most once, in time, as reported, and with one event if it is known to be
 * done.
 */
async function checkCommands({ lane, service }: Scene, edge: SimulatedEdge): Promise<string[]> {
  const { door, driven, outcomes } = edge
  const rows = await lane.db.query<{ action: string; count: number }>(
    `SELECT object->>'gadget_action_id' AS action, count(*)::float8 AS count FROM events
     WHERE ${inItsMonth} AND organization_id = $1 AND object->>'gadget_id' = $2 AND verb = 'use' GROUP BY 1`,
    [service.building.organization_id, door.command_gadget_id],
  )
  const events = new Map(rows.map(({ action, count }) => [action, count]))
  const problems: string[] = []
  for (const { door: of, action_id, asked_at, outcome } of service.commands) {
    if (of !== door) continue
    const runs = driven.filter(run => run.action_id === action_id)
    const told = events.get(action_id) ?? 0
    const say = (problem: string) => problems.push(`${nameOf(edge)}: command ${action_id} ${problem}`)
    if (runs.length > 1) say(`was executed ${runs.length} times`)
    // The hardware may take a while after the request.
    if (runs.some(({ at }) => at > asked_at + 10_300_000)) say('was executed late')
    if (outcome === 'done' && runs.length !== 1) say(`was told done and run ${runs.length} times`)
    if ((outcome === 'refused' || outcome === 'offline') && runs.length > 0) say(`was ${outcome} and run`)
    if (outcome === 'done' && told !== 1) say(`was told done and left ${told} events`)
    if (told > runs.length) say(`left ${told} events and was run ${runs.length} times`)
  }
  const known = [...outcomes.values()].filter(ended => ended === 'done').length
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  if (known !== total) problems.push(`${nameOf(edge)} did ${known} commands, and ${total} left an event`)
  return problems
}

export function nameOf({ door }: SimulatedEdge): string {
  return door.hardware_id
}
