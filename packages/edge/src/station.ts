import type { JournalEvent } from '@gatehouse-access/api'
import {
  type AlarmChange,
  dueTriggers,
  fromMicroseconds,
  hasAction,
  messageOf,
  type Steps,
  triggersOfAlarm,
  triggersOfSignal,
  triggersOfState,
} from '@gatehouse-access/core'
import { DoorAlarms } from './alarms/door-alarms.ts'
import type { EdgeClock, Moment } from './clock.ts'
import type { Driven, Driver, Order } from './drivers/driver.ts'
import { type Exit, isExit } from './exits.ts'
import type { KeypadInput } from './keypad-input.ts'
import type { DoorFact } from './modes/door-memory.ts'
import { Doors } from './modes/doors.ts'
import type { Log, Platform } from './platform.ts'
import type { EdgePolicy } from './policy/slice-policy.ts'
import type { EventDraft, Recorder } from './recorder.ts'
import type { Person } from './station/decisions.ts'
import { Entries } from './station/entries.ts'
import { TriggerRuns } from './station/trigger-runs.ts'
import type { Notes, PolicyHead } from './storage/storage.ts'

/** The outcome of an action that the service was asked to run elsewhere. */
export type Forwarded = 'done' | 'failed' | 'refused' | 'timed_out' | 'offline'

export interface StationParts {
  readonly platform: Platform
  readonly clock: EdgeClock
  readonly recorder: Recorder
  readonly keypad: KeypadInput
  readonly driver: Driver
  readonly log: Log
  /** Whether the local hardware drives the gadgets of a device. */
  isLocal(device_id: string): boolean
  /** Runs the steps of a policy query. Synchronous in a building, where only its own doors can be delayed. */
  answer<Result>(steps: Steps<Result>): Result | Promise<Result>
  /** Asks the service to run an action of a gadget that is elsewhere. */
  forward(gadget_id: string, action_id: string): Promise<Forwarded>
  /** Tells the other devices of this controller what concerns the modes of their doors too. */
  share?(fact: DoorFact): void
  /** Whether the service is connected. */
  isConnected?(): boolean
  /** Runs something later. Without it, `tick` has to be called whenever a mode may change. */
  later?: Platform['later']
}

/** The time in microseconds that an action may take while a person waits at the door. */
const patience = 8_000_000

/**
 * One device in the building: interprets keys, cards, phones, states, signals and the time, and decides by
 * the policy that it holds. Between a key and the driver it awaits nothing; the journal is written
 * afterwards. Every input returns the events that it recorded.
 */
export class Station {
  readonly doors: Doors
  readonly alarms: DoorAlarms
  readonly #parts: StationParts
  #policy: EdgePolicy
  #head: Pick<PolicyHead, 'pass_keys'> | undefined
  #deviceId: string | undefined
  #states: Readonly<Record<string, string>>
  #schedulesSeenAt: number | undefined
  /** The date whose passing was told: after it, schedules with special days are closed. */
  #daysPassed: string | undefined
  readonly #triggers: TriggerRuns
  readonly #entries: Entries

  constructor(parts: StationParts, policy: EdgePolicy, notes: Notes) {
    this.#parts = parts
    this.#policy = policy
    this.#head = notes.policy
    this.#deviceId = notes.device_id
    this.#states = notes.states ?? {}
    this.#schedulesSeenAt = notes.schedules_seen_at
    const own = { policy, device_id: () => this.#deviceId, states: () => this.#states }
    const sound = (gadget_id: string, change: AlarmChange) =>
      this.#triggers.sound(triggersOfAlarm(policy.triggers(), gadget_id, change))
    this.alarms = new DoorAlarms({ ...parts, ...own, sound }, notes.alarms)
    this.doors = new Doors({ ...parts, ...own, monitor: this.alarms }, notes.doors)
    const patiently = (gadget_id: string, action_id: string, by?: Person) =>
      this.drive(gadget_id, action_id, parts.platform.monotonic() + patience, by)
    const append = (draft: EventDraft) => this.#append(draft)
    this.#triggers = new TriggerRuns({
      platform: parts.platform,
      log: parts.log,
      holdsBack: trigger => this.doors.holdsBack(trigger),
      drive: patiently,
      append,
    })
    this.#entries = new Entries({
      keypad: parts.keypad,
      recorder: parts.recorder,
      policy,
      doors: this.doors,
      answer: steps => parts.answer(steps),
      device_id: () => this.#deviceId,
      pass_keys: () => this.#head?.pass_keys ?? [],
      now: () => this.#now(),
      drive: patiently,
      append,
    })
  }

  get device_id(): string | undefined {
    return this.#deviceId
  }

  get policy(): EdgePolicy {
    return this.#policy
  }

  /** Before its first connection, a device does not know its own id and has no policy. */
  name(deviceId: string): void {
    this.#deviceId = deviceId
  }

  adopt(head: PolicyHead): void {
    this.#head = head
    this.doors.refresh()
  }

  /** Called when the controller starts, before it is connected. */
  start(): void {
    this.alarms.start()
    this.doors.start()
  }

  async stop(): Promise<void> {
    this.alarms.stop()
    await this.doors.stop()
  }

  press(key: string): Promise<JournalEvent[]> {
    return this.#entries.press(key)
  }

  tap(uid: string): Promise<JournalEvent[]> {
    return this.#entries.tap(uid)
  }

  present(access_method: 'bluetooth' | 'mobile_nfc', pass: string): Promise<JournalEvent[]> {
    return this.#entries.present(access_method, pass)
  }

  /** Reporting the current state again is not a change. */
  async reportState(gadget_id: string, state_id: string, isReading = false): Promise<JournalEvent[]> {
    if (!this.#own(gadget_id)?.states.some(({ id }) => id === state_id)) return []
    if (this.#states[gadget_id] === state_id) {
      this.alarms.sense(gadget_id, state_id, isReading)
      return []
    }
    this.#states = { ...this.#states, [gadget_id]: state_id }
    const event = this.#append({ type: 'state', gadget_id, state_id }, { states: this.#states })
    this.doors.sense(gadget_id, state_id)
    this.alarms.sense(gadget_id, state_id, isReading)
    return [
      event,
      ...(await this.#triggers.fire(triggersOfState(this.#policy.triggers(), gadget_id, state_id))),
    ]
  }

  async reportSignal(gadget_id: string, signal_id: string): Promise<JournalEvent[]> {
    const door = this.#exit(gadget_id, signal_id)
    const leaving = door ? this.#letOut(door, signal_id) : null
    const isOwn = this.#own(gadget_id)?.signals.some(({ id }) => id === signal_id) === true
    if (!leaving && !isOwn) return []
    const event = this.#append({ type: 'signal', gadget_id, signal_id })
    this.alarms.signal(gadget_id, signal_id)
    const started = isOwn ? this.doors.signal(gadget_id, signal_id) : []
    const triggers = triggersOfSignal(this.#policy.triggers(), gadget_id, signal_id)
    const [exit, fired] = await Promise.all([leaving, this.#triggers.fire(triggers)])
    return [event, ...started, ...(exit ? [exit] : []), ...fired]
  }

  /**
   * A door that no device here has is let out of as well: the service may have named this device anew, and
   * its doors are those of before until the next policy.
   */
  #exit(gadget_id: string, signal_id: string): Exit | undefined {
    const gadget = this.#policy.gadget(gadget_id)
    if (!gadget || !isExit(gadget, signal_id)) return undefined
    const { device_id } = gadget
    return device_id === this.#deviceId || !this.#parts.isLocal(device_id) ? gadget : undefined
  }

  /**
   * Releases a door that people cannot leave without the controller. Depends on nothing but the door's own
   * row: no rule, mode, clock, limit or connection can deny it. The hardware is driven before anything else.
   */
  async #letOut({ id: gadget_id, door }: Exit, signal_id: string): Promise<JournalEvent | null> {
    const { driver, platform, log } = this.#parts
    const action_id = door.release_action_id
    const since = platform.monotonic()
    const order = { gadget_id, action_id, before: since + patience }
    const driven = await Promise.try(() => driver.run(order)).catch(error => failed(messageOf(error)))
    if (driven.outcome === 'done') {
      this.doors.observe(gadget_id, { action_id, since })
      return this.#append({ type: 'exit', gadget_id, action_id, signal_id })
    }
    log.error(`gadget ${gadget_id} was not released on a request to exit: ${driven.reason}`)
    return null
  }

  /**
   * Runs the schedule triggers that became due since the last call. The time is written to disk before they
   * run: after a power loss, a turn is missed rather than run twice.
   */
  async tick(): Promise<JournalEvent[]> {
    this.doors.tick()
    this.alarms.tick()
    const now = this.#now()
    if (!now.is_sure) return []
    this.#tellDaysPassed(now.time)
    const since = this.#schedulesSeenAt ?? now.time
    this.#schedulesSeenAt = now.time
    const own = this.#policy.triggers().filter(trigger => this.#own(trigger.target_gadget_id))
    const due = dueTriggers(this.#policy.compiled, own, since, now.time)
    if (due.length === 0) return []
    await this.#parts.recorder.write(this.#seen(now.time))
    return this.#triggers.fire(due.map(({ trigger }) => trigger))
  }

  /** Told once for each date: a controller that was offline for years closes what it cannot know. */
  #tellDaysPassed(time: number): void {
    const until = this.#policy.daysKnownUntil()
    if (until === undefined || until === this.#daysPassed || fromMicroseconds(time).slice(0, 10) <= until)
      return
    this.#daysPassed = until
    this.#parts.log.error(
      `special days are known until ${until}; schedules that depend on them stay closed until the service sends more`,
    )
  }

  /** Resolves when all triggers of alarms have run. */
  sounded(): Promise<void> {
    return this.#triggers.sounded()
  }

  /** Writes the state that a restart needs. Called once a minute. */
  persistTime(): void {
    const anchor = this.#parts.clock.anchor()
    if (!anchor) return
    this.doors.forgetOld()
    void this.#parts.recorder.write(
      { type: 'note', notes: { anchor } },
      this.#seen(this.#schedulesSeenAt ?? anchor.time),
    )
  }

  /** Runs an action, locally or elsewhere. Nothing is awaited between the decision and the driver. */
  drive(gadget_id: string, action_id: string, before: number, by: Partial<Person> = {}): Promise<Driven> {
    if (!hasAction(this.#policy.compiled, gadget_id, action_id))
      return Promise.resolve(failed('unknown_action'))
    const device_id = this.#policy.gadget(gadget_id)?.device_id ?? ''
    if (!this.#parts.isLocal(device_id)) return this.#forward(gadget_id, action_id)
    const order = { gadget_id, action_id, before }
    return this.#operate(order, by) ?? this.#driveHere(order, by)
  }

  async #driveHere(order: Order, { member_id }: Partial<Person>): Promise<Driven> {
    const since = this.#parts.platform.monotonic()
    const driven = await this.#parts.driver.run(order)
    const { action_id } = order
    if (driven.outcome === 'done')
      this.doors.observe(order.gadget_id, { action_id, since, is_for_member: member_id !== undefined })
    return driven
  }

  /** Starts or ends an emergency. It does not depend on hardware: a control gadget need not have any. */
  #operate(order: Order, by: Partial<Person>): Promise<Driven> | null {
    const { gadget_id, action_id } = order
    const controls = this.doors.controls(gadget_id, action_id)
    if (controls.length === 0) return null
    for (const control of controls) this.doors.operate(control, { gadget_id, ...by })
    void Promise.try(() => this.#parts.driver.run(order)).catch(() => undefined)
    return Promise.resolve({ outcome: 'done' })
  }

  async #forward(gadget_id: string, action_id: string): Promise<Driven> {
    const outcome = await this.#parts.forward(gadget_id, action_id)
    return outcome === 'done' ? { outcome } : failed(outcome === 'failed' ? 'hardware_failed' : 'unreachable')
  }

  #append(draft: EventDraft, notes?: Notes): JournalEvent {
    const beside = notes ? [{ type: 'note', notes } as const] : []
    return this.#parts.recorder.append(draft, this.#now(), ...beside).event
  }

  #seen(schedules_seen_at: number) {
    return { type: 'note', notes: { schedules_seen_at } } as const
  }

  #now(): Moment {
    return this.#parts.clock.now()
  }

  #own(gadgetId: string) {
    const gadget = this.#policy.gadget(gadgetId)
    return gadget?.device_id === this.#deviceId ? gadget : undefined
  }
}

function failed(reason: string): Driven {
  return { outcome: 'failed', reason }
}
