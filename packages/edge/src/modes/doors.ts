import type { JournalEvent } from '@gatehouse-access/api'
import {
  arrivalsBy,
  type DoorUse,
  departuresBy,
  fromMicroseconds,
  messageOf,
  type Steps,
  type TriggerRow,
} from '@gatehouse-access/core'
import type { DoorAction } from '../alarms/door-action.ts'
import type { DoorAlarms } from '../alarms/door-alarms.ts'
import type { EdgeClock } from '../clock.ts'
import type { Driver } from '../drivers/driver.ts'
import type { Log, Platform } from '../platform.ts'
import type { EdgePolicy } from '../policy/slice-policy.ts'
import type { Recorder } from '../recorder.ts'
import type { DoorFact, DoorMemory, LocalEmergency } from './door-memory.ts'
import { DoorStore } from './door-store.ts'
import { fireChanges } from './fire-contacts.ts'
import { forgetOld } from './forget-old.ts'
import { learn, type Remembered } from './learn.ts'
import { LocalEmergencies, type Operator } from './local-emergencies.ts'
import { isLockedDown, type Looked, lookAtDoors } from './look-at-doors.ts'
import { ModeKeeper } from './mode-keeper.ts'
import { type Control, controlsOf, plansOfButton } from './plans.ts'
import { type DoorGadget, isDoor, positionOfState } from './position.ts'
import { reconcile } from './reconcile.ts'
import { isHeldBack } from './triggers.ts'

export interface DoorsParts {
  readonly platform: Platform
  readonly clock: EdgeClock
  readonly recorder: Recorder
  readonly driver: Driver
  readonly log: Log
  readonly policy: EdgePolicy
  answer<Result>(steps: Steps<Result>): Result | Promise<Result>
  device_id(): string | undefined
  states(): Readonly<Record<string, string>>
  /** Tells the other devices of this controller. */
  share?(fact: DoorFact): void
  /** Whether the service is connected. */
  isConnected?(): boolean
  /** Is told the modes of all doors whenever they were looked at, and every action that was run at one. */
  readonly monitor?: Pick<DoorAlarms, 'follow' | 'observe'>
  /** Runs something later. Without it, somebody else has to call `tick` at every turn. */
  later?: Platform['later']
}

/** Turns that are further away than this many milliseconds are left to a later tick. */
const near = 2000

/**
 * The modes of the doors of one device (docs/door-modes.md). Everything that can change a mode ends in
 * `refresh`: it looks at what all doors have to be now, and the keeper drives those that are not.
 *
 * What happens here before the service knows of it is a fact: it is in force at once, on all devices of the
 * controller, on the disk before a door is driven, and dropped when the service has sent what follows from it.
 */
export class Doors {
  readonly keeper: ModeKeeper
  readonly #emergencies: LocalEmergencies
  readonly #parts: DoorsParts
  readonly #store: DoorStore
  #looking: Promise<void> | null = null
  #cancelWake: () => void = () => {}

  constructor(parts: DoorsParts, stored: DoorMemory | undefined) {
    this.#parts = parts
    this.#store = new DoorStore(parts.policy, parts.recorder, stored)
    const emergencies = new LocalEmergencies({
      ...parts,
      memory: () => this.memory,
      tell: fact => this.#tell(fact),
    })
    this.#emergencies = emergencies
    this.keeper = new ModeKeeper({ ...parts, causeOf: before => emergencies.causeOf(before) }, this.#store)
  }

  get memory(): DoorMemory {
    return this.#store.memory
  }

  /** Called when the controller starts, before it is connected. */
  start(): void {
    this.keeper.doubtAll()
    this.tick()
  }

  /** Called once a second. */
  tick(): void {
    this.#emergencies.noteAcknowledged()
    this.refresh()
    this.keeper.redo()
  }

  /** Called once a minute. */
  forgetOld(): void {
    const at = this.#at()
    if (!Number.isNaN(at)) void this.#store.put(forgetOld(this.memory, this.#parts.policy, at))
  }

  async stop(): Promise<void> {
    this.#cancelWake()
    await this.keeper.stop()
  }

  /** Resolves when all doors are what they have to be, or could not be driven. */
  async settled(): Promise<void> {
    while (this.#looking) await this.#looking
    await this.keeper.settled()
  }

  /** Compares what the doors have to be with what they are. */
  refresh(): void {
    this.#guard(() => {
      this.#reconcile()
      this.#readContacts()
      const looked = this.#look()
      if (looked instanceof Promise) this.#followLatest(looked)
      else this.#follow(looked)
    })
  }

  /** A fact from this device, or from another one of this controller. */
  learn(fact: DoorFact): void {
    this.#guard(() => this.#learn(fact))
  }

  #learn(fact: DoorFact): void {
    if (fact.type === 'signal') this.#leave(fact.gadget_id, fact.signal_id)
    else if (fact.type === 'action') this.#observe(fact)
    else if (fact.type !== 'start' || this.#isConcernedBy(fact.emergency)) this.#remember(fact)
  }

  #remember(fact: Remembered): void {
    void this.#store.put(learn(this.memory, fact, this.#parts.policy.rows('emergencies').values()))
    this.refresh()
  }

  /** A gadget of this device reports a state. */
  sense(gadgetId: string, stateId: string): void {
    const gadget = this.#door(gadgetId)
    const position = gadget && positionOfState(gadget, stateId)
    if (position) this.keeper.observe(gadgetId, position)
    const sites = [...this.#parts.policy.rows('sites').values()]
    if (sites.some(({ fire }) => fire?.source_gadget_id === gadgetId)) this.refresh()
  }

  /** A gadget of this device signals: a panic button, or that the last person leaves. */
  signal(gadget_id: string, signal_id: string): JournalEvent[] {
    const plans = plansOfButton(this.#parts.policy.rows('emergency_plans').values(), gadget_id, signal_id)
    const events = plans.flatMap(plan => this.#emergencies.start(plan, { gadget_id, signal_id }))
    this.#tell({ type: 'signal', gadget_id, signal_id })
    return events
  }

  /** Somebody was let in by a door. */
  used({ member_id, ...use }: Omit<DoorUse, 'at' | 'member_id'> & { member_id?: string }): void {
    const at = this.#at()
    if (member_id === undefined || Number.isNaN(at)) return
    const came = arrivalsBy(this.#parts.policy.compiled, { ...use, member_id, at })
    if (came.length > 0) this.#tell({ type: 'arrival', unlock_rule_ids: came, at: fromMicroseconds(at) })
  }

  /** What an action starts and ends, if its gadget is the control gadget of plans. */
  controls(gadgetId: string, actionId: string): Control[] {
    return controlsOf(this.#parts.policy.rows('emergency_plans').values(), gadgetId, actionId)
  }

  operate({ plan, action }: Control, by: Operator): JournalEvent[] {
    return this.#emergencies[action](plan, by)
  }

  /** An action that somebody or something has run at a gadget, whatever its mode. */
  observe(gadget_id: string, action: DoorAction): void {
    if (this.#door(gadget_id)) this.#tell({ type: 'action', gadget_id, ...action })
  }

  /** Whether a door is held open, so that this action need not be run. */
  isHeld(gadgetId: string, actionId: string): boolean {
    return this.#door(gadgetId)?.door.release_action_id === actionId && this.keeper.isHeld(gadgetId)
  }

  /** Whether a lockdown keeps a trigger from running. */
  holdsBack(trigger: TriggerRow): boolean | Promise<boolean> {
    const { answer, policy } = this.#parts
    const gadget = this.#door(trigger.target_gadget_id)
    if (!gadget || !isHeldBack(trigger, gadget)) return false
    return answer(isLockedDown(policy, gadget.id, this.#at()))
  }

  /** The last person leaves. Each device looks at its own rules. */
  #leave(gadgetId: string, signalId: string): void {
    const at = this.#at()
    if (Number.isNaN(at)) return
    const unlock_rule_ids = departuresBy(this.#parts.policy.compiled, gadgetId, signalId, at)
    if (unlock_rule_ids.length > 0)
      this.#remember({ type: 'departure', unlock_rule_ids, at: fromMicroseconds(at) })
  }

  #observe({ gadget_id, ...action }: DoorAction & { readonly gadget_id: string }): void {
    const gadget = this.#door(gadget_id)
    if (gadget) this.keeper.observeAction(gadget, action.action_id)
    this.#parts.monitor?.observe(gadget_id, action)
  }

  #reconcile(): void {
    const { policy } = this.#parts
    const known = {
      emergencies: policy.rows('emergencies'),
      sites: policy.rows('sites'),
      at: this.#at(),
      isOverdue: ({ local_id }: LocalEmergency) => this.#emergencies.isOverdue(local_id),
    }
    void this.#store.put(reconcile(this.memory, known))
  }

  #readContacts(): void {
    const { clock, policy, recorder, share, states } = this.#parts
    const now = clock.now()
    const changes = fireChanges({
      sites: policy.rows('sites').values(),
      states: states(),
      fires: this.memory.fires,
      now: fromMicroseconds(now.time),
      is_sure: now.is_sure,
      isOwn: id => this.#isOwn(id),
    })
    for (const { site_id, state, fire } of changes) {
      recorder.append({ type: 'fire', site_id, state }, now)
      void this.#store.put(learn(this.memory, { type: 'fire', site_id, fire }, []))
      if (state === 'on') share?.({ type: 'fire', site_id, fire: { ...fire, contact: 'elsewhere' } })
    }
  }

  #look(): Looked | Promise<Looked> {
    const { answer, device_id, policy } = this.#parts
    return answer(lookAtDoors(policy, device_id(), this.#at()))
  }

  /** Where looking takes several steps, only what was looked up last is still true. */
  #followLatest(looked: Promise<Looked>): void {
    const looking: Promise<void> = looked.then(found => {
      if (this.#looking !== looking) return
      this.#looking = null
      this.#follow(found)
    })
    this.#looking = looking
  }

  #follow({ tasks, next }: Looked): void {
    this.keeper.follow(tasks)
    this.#parts.monitor?.follow(tasks)
    this.#wakeAt(next)
  }

  /** A turn is followed to the millisecond. */
  #wakeAt(next: number): void {
    this.#cancelWake()
    const wait = (next - this.#at()) / 1000
    if (wait < near)
      this.#cancelWake = this.#parts.later?.(Math.max(1, Math.ceil(wait)), () => this.refresh()) ?? (() => {})
  }

  /** In force here first, so that the doors of this device do not wait for those of others. */
  #tell(fact: DoorFact): void {
    this.learn(fact)
    this.#parts.share?.(fact.type === 'start' ? { ...fact, emergency: elsewhere(fact.emergency) } : fact)
  }

  /** The device where an emergency was started follows what becomes of it. */
  #isConcernedBy({ plan, sequence }: LocalEmergency): boolean {
    return sequence !== undefined || plan.gadget_ids.some(id => this.#isOwn(id))
  }

  #isOwn(gadgetId: string): boolean {
    return this.#parts.policy.gadget(gadgetId)?.device_id === this.#parts.device_id()
  }

  #door(gadgetId: string): DoorGadget | undefined {
    const gadget = this.#parts.policy.gadget(gadgetId)
    return isDoor(gadget) ? gadget : undefined
  }

  /** Whatever is wrong with a mode, decisions, exits and the policy go on. */
  #guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#parts.log.error(`the modes of doors: ${messageOf(error)}`)
    }
  }

  /** NaN while the clock is not sure. */
  #at(): number {
    const { time, is_sure } = this.#parts.clock.now()
    return is_sure ? time : Number.NaN
  }
}

/** Its event is in another journal. */
function elsewhere({ sequence: _, ...emergency }: LocalEmergency): LocalEmergency {
  return emergency
}
