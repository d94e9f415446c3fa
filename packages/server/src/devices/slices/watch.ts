import { type Moment, readMoment } from '../../database/moment.ts'
import { Alarm } from '../../flow/alarm.ts'
import { pause } from '../../flow/timers.ts'
import { addChanges, type Changes, findChanges, noneChanged } from '../policy/changes.ts'
import type { PushContext } from './context.ts'
import type { Lane, Lanes } from './lanes.ts'
import type { LiveSlice } from './live-slice.ts'
import { asOf, type LiveOrganization, openOrganization } from './organization.ts'
import type { OrganizationChanges } from './organization-changes.ts'

interface Parts {
  readonly lanes: Lanes
  readonly changes: OrganizationChanges
  /** The progress of the slice is unknown, so its device has to reconnect and report its version. */
  fail(slice: LiveSlice, error: unknown): void
  /** Milliseconds. */
  readonly poll?: number | undefined
}

/** Milliseconds. */
const longestWait = 1000
const shortestWait = 5
/** How long to wait for what was found to be sent, before looking again. */
const patience = 50
/** How long to leave the machine to requests after a few devices were told of an emergency. */
const betweenDevices = 26

/**
 * Finds what changed. Each look reads the event log once for all organizations with devices here, and hands what it
 * found to their lanes. So an organization with many changes does not delay those of others.
 */
export class ChangeWatch implements AsyncDisposable {
  readonly #context: PushContext
  readonly #parts: Parts
  /** Everything up to this moment was handed to the lanes. */
  #moment: Moment | undefined
  #beginning: Promise<Moment> | undefined
  #looking: Promise<unknown> = Promise.resolve()
  #movingOn: Promise<void> | undefined
  readonly #calls = new Set<Promise<void>>()
  readonly #end = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(context: PushContext, parts: Parts) {
    this.#context = context
    this.#parts = parts
  }

  start(): void {
    this.#running = this.#watch()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#running
    await Promise.all([...this.#calls, this.#movingOn])
  }

  /** Returns the organization of a lane. Must run in a turn. */
  async open(lane: Lane): Promise<LiveOrganization> {
    if (lane.organization) return lane.organization
    // A look that began before the lane was there does not find its changes. Later ones do.
    await this.#looking.catch(() => undefined)
    lane.moment = await this.#begin()
    Object.assign(lane, { found: noneChanged(), is_urgent: false, is_anew: false })
    lane.organization = await openOrganization(this.#context, lane.organization_id)
    return lane.organization
  }

  /** Tells the devices of a lane of emergencies. Must run in a turn. */
  async hurry(lane: Lane): Promise<void> {
    const { organization } = lane
    if (organization) await this.#orGiveUp(lane, organization, this.#tellUrgent(lane, organization))
  }

  /** Applies to a lane what was found. Must run in a turn. */
  async settle(lane: Lane): Promise<void> {
    await this.hurry(lane)
    const { organization, found, is_anew } = lane
    const moment = this.#moment
    lane.found = noneChanged()
    lane.is_called = false
    if (!organization || !moment) return
    const { changes } = this.#parts
    if (is_anew) {
      await changes.readAnew(organization, moment)
      lane.is_anew = false
    } else {
      const applied = changes.apply(organization, found, moment, () => this.#breathe(lane, organization))
      await this.#orGiveUp(lane, organization, applied)
    }
    goTo(lane, moment)
  }

  /** Between parts of what takes long, other organizations go first, and emergencies. */
  async #breathe(lane: Lane, organization: LiveOrganization): Promise<void> {
    await this.#parts.lanes.letOthers()
    await this.#tellUrgent(lane, organization)
  }

  async #tellUrgent(lane: Lane, organization: LiveOrganization): Promise<void> {
    if (!lane.is_urgent) return
    lane.is_urgent = false
    await this.#parts.changes.applyEmergencies(organization, () => this.#rest(lane))
  }

  /** Not if there is something newer to tell. */
  async #rest(lane: Lane): Promise<void> {
    if (!lane.is_urgent) await pause(this.#context.timers, betweenDevices, this.#end.signal)
  }

  async #watch(): Promise<void> {
    const { feed, log, timers } = this.#context
    const { signal } = this.#end
    while (!signal.aborted) {
      const woken = feed.woken()
      const isDone = await this.#tick().then(
        () => true,
        error => void log.warn({ err: error }, laterMessage),
      )
      await pause(timers, shortestWait, signal)
      await pause(timers, this.#parts.poll ?? longestWait, signal, isDone ? woken : undefined)
    }
  }

  async #tick(): Promise<void> {
    if (this.#parts.lanes.size === 0) {
      this.#moment = undefined
      return
    }
    const looking = this.#look()
    this.#looking = looking
    const calls = await looking
    this.#movingOn ??= this.#moveOn().finally(() => {
      this.#movingOn = undefined
    })
    if (calls.length > 0) await this.#waitFor(calls)
  }

  /** Returns the turns in which the lanes apply what was found. */
  async #look(): Promise<Promise<void>[]> {
    const { lanes } = this.#parts
    const before = await this.#begin()
    const { moment, changes } = await findChanges(this.#context.db, lanes.ids(), before)
    this.#moment = moment
    const isAnew = moment.epoch !== before.epoch
    return lanes.all().flatMap(lane => this.#hand(lane, moment, changes.get(lane.organization_id), isAnew))
  }

  /** A lane that is idle is up to date at once. */
  #hand(lane: Lane, moment: Moment, found: Changes | undefined, isAnew: boolean): Promise<void>[] {
    if (isAnew) lane.is_anew = true
    if (found) addChanges(lane.found, found)
    if (found && found.emergencies.size > 0) lane.is_urgent = true
    if (found || lane.is_anew) return this.#call(lane)
    if (lane.turns === 0) goTo(lane, moment)
    return []
  }

  #call(lane: Lane): Promise<void>[] {
    if (lane.is_called) return []
    lane.is_called = true
    const call = this.#parts.lanes
      .run(lane.organization_id, async () => undefined)
      .catch(error => this.#context.log.warn({ err: error }, laterMessage))
    this.#calls.add(call)
    void call.then(() => this.#calls.delete(call))
    return [call]
  }

  async #waitFor(calls: readonly Promise<void>[]): Promise<void> {
    const done = new Alarm()
    const ring = done.next()
    void Promise.all(calls).then(() => done.ring())
    await pause(this.#context.timers, patience, this.#end.signal, ring)
  }

  /** One organization after another, because a new day begins for all of them at once. */
  async #moveOn(): Promise<void> {
    const { clock, zones } = this.#context
    const { lanes, changes } = this.#parts
    const isBehind = ({ organization }: Lane) =>
      organization !== undefined && organization.as_of !== asOf(clock.now(), zones)
    for (const { organization_id } of lanes.all().filter(isBehind)) {
      if (this.#end.signal.aborted) return
      await lanes
        .run(organization_id, async lane => {
          const { organization } = lane
          if (organization && isBehind(lane))
            await this.#orGiveUp(lane, organization, changes.moveOn(organization))
        })
        .catch(error => this.#context.log.warn({ err: error }, laterMessage))
    }
  }

  async #orGiveUp(lane: Lane, organization: LiveOrganization, work: Promise<void>): Promise<void> {
    await work.catch(error => {
      // Its places may be half read: a device that reconnects finds them read anew.
      lane.organization = undefined
      for (const slice of organization.slices) this.#parts.fail(slice, error)
    })
  }

  /** Nothing that is read afterwards is older than this moment, and every later change is found. */
  async #begin(): Promise<Moment> {
    if (this.#moment) return this.#moment
    this.#beginning ??= readMoment(this.#context.db)
      .then(moment => (this.#moment ??= moment))
      .finally(() => {
        this.#beginning = undefined
      })
    return this.#beginning
  }
}

const laterMessage = 'policy changes are sent later'

/** Everything up to this moment is in the organization and in its loaded slices. */
function goTo(lane: Lane, moment: Moment): void {
  lane.moment = moment
  for (const slice of lane.organization?.slices ?? []) if (!slice.is_loading) slice.moment = moment
}
