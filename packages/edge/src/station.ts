import type { JournalEvent, JournalEvents } from '@gatehouse-access/api'
import {
  type AccessMethod,
  type AlarmChange,
  countTriggerRun,
  type DenialReason,
  dueTriggers,
  type ExplainedDoor,
  fromMicroseconds,
  hasAction,
  type KeypadOutcome,
  type KeypadPause,
  type KeypadTarget,
  messageOf,
  noTriggerRest,
  type Question,
  type Reason,
  type Steps,
  type TriggerRest,
  type TriggerRow,
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
import { readPass } from './policy/passes.ts'
import type { EdgePolicy } from './policy/slice-policy.ts'
import type { EventDraft, Recorder } from './recorder.ts'
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

/** Reasons that are meaningless while the time is unknown. */
const timely: ReadonlySet<Reason> = new Set([
  'member_not_started',
  'member_ended',
  'association_not_started',
  'association_ended',
  'outside_schedule',
])

/** The person at the door, and the access method. */
interface Person {
  readonly access_method: AccessMethod
  readonly member_id?: string
  readonly credential_id?: string
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
  #rests = new Map<string, TriggerRest>()
  /** The date whose passing was told: after it, schedules with special days are closed. */
  #daysPassed: string | undefined
  /** Triggers of alarms that are running. */
  readonly #sounding = new Set<Promise<unknown>>()
  /** Pending while the last wrong PIN is being written to disk. */
  #wrongPin: Promise<void> | null = null

  constructor(parts: StationParts, policy: EdgePolicy, notes: Notes) {
    this.#parts = parts
    this.#policy = policy
    this.#head = notes.policy
    this.#deviceId = notes.device_id
    this.#states = notes.states ?? {}
    this.#schedulesSeenAt = notes.schedules_seen_at
    const own = { policy, device_id: () => this.#deviceId, states: () => this.#states }
    const sound = (gadget_id: string, change: AlarmChange) => this.#sound(gadget_id, change)
    this.alarms = new DoorAlarms({ ...parts, ...own, sound }, notes.alarms)
    this.doors = new Doors({ ...parts, ...own, monitor: this.alarms }, notes.doors)
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

  async press(key: string): Promise<JournalEvent[]> {
    const outcome = this.#parts.keypad.press(this.#setup(), key, this.#now().time)
    return outcome ? this.#enter(outcome) : []
  }

  /** A known card is always checked. Many unknown cards in a short time are ignored. */
  async tap(uid: string): Promise<JournalEvent[]> {
    const outcome = this.#parts.keypad.tap(this.#setup(), this.#now().time)
    if (outcome?.type !== 'card')
      return [await this.#deny({ access_method: 'card' }, null, 'unknown_credential')]
    const found = this.#policy.identify('card', uid)
    if (!found && !this.#parts.keypad.countUnknownCard(this.#now().time)) return []
    return [await this.#attempt({ access_method: 'card', ...found }, outcome.target)]
  }

  /** A phone is treated like a card: it applies to the rule whose code was typed, or to the default rule. */
  async present(access_method: 'bluetooth' | 'mobile_nfc', pass: string): Promise<JournalEvent[]> {
    const now = this.#now()
    const outcome = this.#parts.keypad.tap(this.#setup(), now.time)
    const target = outcome?.type === 'card' ? outcome.target : null
    const read = readPass(pass, this.#head?.pass_keys ?? [], this.#deviceId, now)
    if (typeof read === 'string') return [await this.#deny({ access_method }, target, read)]
    const { member_id, credential_id } = read
    const person = { access_method, member_id }
    if (credential_id !== undefined && this.#policy.isRevoked(member_id, credential_id))
      return [await this.#deny(person, target, 'credential_deleted')]
    if (!target) return [await this.#deny(person, null, 'unknown_credential')]
    return [await this.#attempt(person, target)]
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
    return [event, ...(await this.#fire(triggersOfState(this.#policy.triggers(), gadget_id, state_id)))]
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
    const [exit, fired] = await Promise.all([leaving, this.#fire(triggers)])
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
    return this.#fire(due.map(({ trigger }) => trigger))
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
  async sounded(): Promise<void> {
    while (this.#sounding.size > 0) await Promise.all(this.#sounding)
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

  async #enter(outcome: KeypadOutcome): Promise<JournalEvent[]> {
    if (outcome.type !== 'pin')
      return [await this.#deny({ access_method: 'pin' }, null, 'unknown_credential')]
    return [await this.#enterPin(outcome.pin, outcome.target)]
  }

  /**
   * The next PIN waits until the last wrong PIN is on disk. Otherwise, cutting the power after each attempt
   * would keep the count at zero. A correct PIN or a card triggers no such wait.
   */
  async #enterPin(pin: string, target: KeypadTarget): Promise<JournalEvent> {
    if (this.#wrongPin) await this.#wrongPin
    const { keypad } = this.#parts
    const { time } = this.#now()
    if (keypad.isPaused(time)) return this.#deny({ access_method: 'pin' }, target, 'keypad_paused')
    const found = this.#policy.identify('pin', pin)
    if (found) return this.#attempt({ access_method: 'pin', ...found }, target)
    const alarmedUntil = this.#policy.pinsAlarmedUntil(this.#deviceId ?? '')
    this.#noteWrong(keypad.countWrong(time, time < alarmedUntil))
    return this.#deny({ access_method: 'pin' }, target, 'unknown_credential')
  }

  #noteWrong(keypad_pause: KeypadPause): void {
    const written = this.#parts.recorder.write({ type: 'note', notes: { keypad_pause } }).then(() => {
      if (this.#wrongPin === written) this.#wrongPin = null
    })
    this.#wrongPin = written
  }

  async #attempt(person: Person, target: KeypadTarget): Promise<JournalEvent> {
    const now = this.#now()
    const judged = this.#judge(person, target, now)
    const reason = judged instanceof Promise ? await judged : judged
    if (reason !== null) return this.#deny(person, target, reason)
    const { gadget_id, action_id } = target
    const before = this.#parts.platform.monotonic() + patience
    const isOpen = this.doors.isHeld(gadget_id, action_id)
    const driven = isOpen ? done : await this.drive(gadget_id, action_id, before, person)
    if (driven.outcome === 'done') return await this.#noteUse(person, target, now)
    return this.#deny(person, target, driven.reason === 'unreachable' ? 'unreachable' : 'hardware_failed')
  }

  /** Explained as of the decision: until the door had opened, a schedule may have ended. */
  async #noteUse(person: Person, target: KeypadTarget, decided: Moment): Promise<JournalEvent> {
    const explaining = this.#explain(person, target, decided)
    const { decided_by } = explaining instanceof Promise ? await explaining : explaining
    const { gadget_id, action_id } = target
    const event = this.#append({
      type: 'use',
      gadget_id,
      action_id,
      ...person,
      ...(decided_by && { decided_by }),
    })
    this.doors.used({ gadget_id, action_id, ...person })
    return event
  }

  #judge(
    person: Person,
    target: KeypadTarget,
    now: Moment,
  ): DenialReason | null | Promise<DenialReason | null> {
    if (person.member_id === undefined) return 'unknown_credential'
    return this.#parts.answer(judge(this.#policy, questionOf(person, target, now), now.is_sure))
  }

  /** Recorded before anything else happens, unless the policy query needs several steps. */
  async #deny(person: Person, target: KeypadTarget | null, reason: DenialReason): Promise<JournalEvent> {
    const explaining = this.#explain(person, target)
    const explained = explaining instanceof Promise ? await explaining : explaining
    return this.#append({ type: 'denial', ...person, ...target, reason, ...explained })
  }

  #explain(person: Person, target: KeypadTarget | null, now = this.#now()): Explained | Promise<Explained> {
    if (person.member_id === undefined || target === null) return {}
    return this.#parts.answer(explain(this.#policy, questionOf(person, target, now)))
  }

  async #fire(triggers: readonly TriggerRow[]): Promise<JournalEvent[]> {
    const runs = await Promise.all(triggers.map(trigger => this.#run(trigger)))
    return runs.filter(event => event !== null)
  }

  async #run(trigger: TriggerRow): Promise<JournalEvent | null> {
    const { id: gadget_trigger_id, target_gadget_id: gadget_id, target_action_id: action_id } = trigger
    const counted = countTriggerRun(
      this.#rests.get(trigger.id) ?? noTriggerRest,
      this.#parts.platform.monotonic(),
    )
    this.#rests.set(trigger.id, counted.rest)
    if (!counted.runs) {
      this.#parts.log.error(`trigger ${trigger.id} is paused: it ran too often`)
      return null
    }
    if (this.doors.holdsBack(trigger)) {
      this.#parts.log.error(`trigger ${trigger.id} did not run: its door is locked down`)
      return this.#append({ type: 'trigger_denial', gadget_trigger_id, gadget_id, action_id })
    }
    const driven = await this.drive(gadget_id, action_id, this.#parts.platform.monotonic() + patience)
    if (driven.outcome === 'done')
      return this.#append({ type: 'trigger', gadget_trigger_id, gadget_id, action_id })
    this.#parts.log.error(`trigger ${trigger.id} failed: ${driven.reason}`)
    return null
  }

  /** Runs what an alarm triggers. Whoever noticed the alarm does not wait for it. */
  #sound(gadget_id: string, change: AlarmChange): void {
    const triggers = triggersOfAlarm(this.#policy.triggers(), gadget_id, change)
    if (triggers.length === 0) return
    const sounding = this.#fire(triggers)
      .catch(error => this.#parts.log.error(`the triggers of an alarm: ${messageOf(error)}`))
      .finally(() => this.#sounding.delete(sounding))
    this.#sounding.add(sounding)
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

  #setup() {
    return this.#policy.setup(this.#deviceId ?? '')
  }
}

/** Returns null when allowed. */
function* judge(policy: EdgePolicy, question: Question, isSure: boolean): Steps<DenialReason | null> {
  const { allowed, reason } = yield* policy.decide(question)
  if (allowed || reason === null) return null
  return !isSure && timely.has(reason) ? 'clock_unsure' : reason
}

type Explained = Pick<JournalEvents['denial'], 'rules' | 'next_allowed_at' | 'door' | 'decided_by'>

function* explain(policy: EdgePolicy, question: Question): Steps<Explained> {
  const { rules, next_allowed_at, door, decided_by } = yield* policy.account(question)
  return {
    rules,
    ...(next_allowed_at !== null && { next_allowed_at }),
    ...(door && { door: told(door) }),
    ...(decided_by && { decided_by }),
  }
}

function told(door: ExplainedDoor) {
  return { ...door, emergency_ids: [...door.emergency_ids] }
}

function questionOf(
  { member_id, credential_id, access_method }: Person,
  target: KeypadTarget,
  now: Moment,
): Question {
  return {
    ...target,
    access_method,
    at: now.is_sure ? now.time : Number.NaN,
    ...(member_id !== undefined && { member_id }),
    ...(credential_id !== undefined && { credential_id }),
  }
}

const done: Driven = { outcome: 'done' }

function failed(reason: string): Driven {
  return { outcome: 'failed', reason }
}
