import type { JournalEvent } from '@gatehouse-access/api'
import {
  type AccessMethod,
  countTriggerRun,
  type DenialReason,
  dueTriggers,
  fromMicroseconds,
  hasAction,
  type KeypadOutcome,
  type KeypadPause,
  type KeypadTarget,
  messageOf,
  modeOfDoor,
  noTriggerRest,
  opensDoor,
  type Question,
  type Reason,
  type Steps,
  type TriggerRest,
  type TriggerRow,
  triggersOfSignal,
  triggersOfState,
} from '@gatehouse-access/core'
import type { EdgeClock, Moment } from './clock.ts'
import type { Driven, Driver } from './drivers/driver.ts'
import { type Exit, isExit } from './exits.ts'
import type { KeypadInput } from './keypad-input.ts'
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
  readonly #parts: StationParts
  #policy: EdgePolicy
  #head: Pick<PolicyHead, 'pass_keys'> | undefined
  #deviceId: string | undefined
  #states: Readonly<Record<string, string>>
  #schedulesSeenAt: number | undefined
  #rests = new Map<string, TriggerRest>()
  /** The date whose passing was told: after it, schedules with special days are closed. */
  #daysPassed: string | undefined
  /** Pending while the last wrong PIN is being written to disk. */
  #wrongPin: Promise<void> | null = null

  constructor(parts: StationParts, policy: EdgePolicy, notes: Notes) {
    this.#parts = parts
    this.#policy = policy
    this.#head = notes.policy
    this.#deviceId = notes.device_id
    this.#states = notes.states ?? {}
    this.#schedulesSeenAt = notes.schedules_seen_at
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
  async reportState(gadget_id: string, state_id: string): Promise<JournalEvent[]> {
    if (!this.#own(gadget_id)?.states.some(({ id }) => id === state_id)) return []
    if (this.#states[gadget_id] === state_id) return []
    this.#states = { ...this.#states, [gadget_id]: state_id }
    const event = this.#append({ type: 'state', gadget_id, state_id }, { states: this.#states })
    return [event, ...(await this.#fire(triggersOfState(this.#policy.triggers(), gadget_id, state_id)))]
  }

  async reportSignal(gadget_id: string, signal_id: string): Promise<JournalEvent[]> {
    const door = this.#exit(gadget_id, signal_id)
    const leaving = door ? this.#letOut(door, signal_id) : null
    if (!leaving && !this.#own(gadget_id)?.signals.some(({ id }) => id === signal_id)) return []
    const event = this.#append({ type: 'signal', gadget_id, signal_id })
    const triggers = triggersOfSignal(this.#policy.triggers(), gadget_id, signal_id)
    const [exit, fired] = await Promise.all([leaving, this.#fire(triggers)])
    return [event, ...(exit ? [exit] : []), ...fired]
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
    const order = { gadget_id, action_id, before: platform.monotonic() + patience }
    const driven = await Promise.try(() => driver.run(order)).catch(error => failed(messageOf(error)))
    if (driven.outcome === 'done') return this.#append({ type: 'exit', gadget_id, action_id, signal_id })
    log.error(`gadget ${gadget_id} was not released on a request to exit: ${driven.reason}`)
    return null
  }

  /**
   * Runs the schedule triggers that became due since the last call. The time is written to disk before they
   * run: after a power loss, a turn is missed rather than run twice.
   */
  async tick(): Promise<JournalEvent[]> {
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

  /** Writes the state that a restart needs. Called once a minute. */
  persistTime(): void {
    const anchor = this.#parts.clock.anchor()
    if (!anchor) return
    void this.#parts.recorder.write(
      { type: 'note', notes: { anchor } },
      this.#seen(this.#schedulesSeenAt ?? anchor.time),
    )
  }

  /** Runs an action, locally or elsewhere. Nothing is awaited between the decision and the driver. */
  drive(gadget_id: string, action_id: string, before: number): Promise<Driven> {
    if (!hasAction(this.#policy.compiled, gadget_id, action_id))
      return Promise.resolve(failed('unknown_action'))
    const device_id = this.#policy.gadget(gadget_id)?.device_id ?? ''
    if (this.#parts.isLocal(device_id)) return this.#parts.driver.run({ gadget_id, action_id, before })
    return this.#forward(gadget_id, action_id)
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
    const judged = this.#judge(person, target)
    const reason = judged instanceof Promise ? await judged : judged
    if (reason !== null) return this.#deny(person, target, reason)
    const { gadget_id, action_id } = target
    const driven = await this.drive(gadget_id, action_id, this.#parts.platform.monotonic() + patience)
    if (driven.outcome === 'done') return this.#append({ type: 'use', gadget_id, action_id, ...person })
    return this.#deny(person, target, driven.reason === 'unreachable' ? 'unreachable' : 'hardware_failed')
  }

  #judge(person: Person, target: KeypadTarget): DenialReason | null | Promise<DenialReason | null> {
    if (person.member_id === undefined) return 'unknown_credential'
    const now = this.#now()
    return this.#parts.answer(judge(this.#policy, questionOf(person, target, now), now.is_sure))
  }

  /** Recorded before anything else happens, unless the policy query needs several steps. */
  async #deny(person: Person, target: KeypadTarget | null, reason: DenialReason): Promise<JournalEvent> {
    const explaining = this.#explain(person, target)
    const explained = explaining instanceof Promise ? await explaining : explaining
    return this.#append({ type: 'denial', ...person, ...target, reason, ...explained })
  }

  #explain(person: Person, target: KeypadTarget | null) {
    if (person.member_id === undefined || target === null) return {}
    return this.#parts.answer(explain(this.#policy, questionOf(person, target, this.#now())))
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
    if (this.#isLockedDown(gadget_id, action_id)) {
      this.#parts.log.error(`trigger ${trigger.id} did not run: gadget ${gadget_id} is locked down`)
      return null
    }
    const driven = await this.drive(gadget_id, action_id, this.#parts.platform.monotonic() + patience)
    if (driven.outcome === 'done')
      return this.#append({ type: 'trigger', gadget_trigger_id, gadget_id, action_id })
    this.#parts.log.error(`trigger ${trigger.id} failed: ${driven.reason}`)
    return null
  }

  /** Whether the action would open a door that is locked down. Only members with an exemption may do that. */
  #isLockedDown(gadget_id: string, action_id: string): boolean {
    const door = this.#policy.gadget(gadget_id)?.door
    if (!door || !opensDoor(door, action_id)) return false
    const { is_sure, time } = this.#now()
    const now = modeOfDoor(this.#policy.compiled, gadget_id, is_sure ? time : Number.NaN)
    return now?.mode.effective === 'lockdown'
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

function* explain(policy: EdgePolicy, question: Question) {
  const { rules, next_allowed_at } = yield* policy.explain(question)
  return { rules, ...(next_allowed_at !== null && { next_allowed_at }) }
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

function failed(reason: string): Driven {
  return { outcome: 'failed', reason }
}
