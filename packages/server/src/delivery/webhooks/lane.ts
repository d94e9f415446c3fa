import { Alarm } from '../../flow/alarm.ts'
import type { Pace, Paces } from '../../flow/pace.ts'
import type { Slots } from '../../flow/slots.ts'
import { pause } from '../../flow/timers.ts'
import { pauseAfter, type Trouble } from '../../monitoring/trouble.ts'
import { attemptDelivery } from './attempt.ts'
import type { Bodies } from './bodies.ts'
import type { DeliveryContext } from './context.ts'
import type { DueDelivery } from './due-delivery.ts'
import { disableWebhook, hasFailedTooLong, isDown } from './failing.ts'
import { type LaneRow, noteFailing, restLane } from './lanes.ts'
import type { Outcome } from './outcome.ts'
import type { Outcomes } from './outcomes.ts'
import { cancelPending, loadDue, loadTarget, type Target } from './queue.ts'
import type { Sender } from './send.ts'
import { Waiting } from './waiting.ts'

export interface LaneTools {
  readonly context: Pick<
    DeliveryContext,
    'db' | 'clock' | 'timers' | 'vault' | 'log' | 'feed' | 'metrics' | 'tracing' | 'mailer' | 'config'
  >
  readonly owner: string
  readonly sender: Sender
  readonly slots: Slots
  /** Rate limits for receivers that are down: per organization, and for all lanes together. */
  readonly hopeless: { readonly each: Paces; readonly all: Pace }
  readonly outcomes: Outcomes
  readonly bodies: Bodies
  /** Logs lanes that cannot continue, and failures to store the health of receivers. */
  readonly trouble: { readonly lanes: Trouble; readonly health: Trouble }
}

const page = 64
const linger = 200
const mostHeld = 256
const accepted = { accepted: 'true' }
const refused = { accepted: 'false' }
/** Concurrent attempts per lane: at a healthy receiver, and at a receiver whose last attempt failed. */
const widths = { well: 8, failing: 2 }

/**
 * The deliveries of one webhook. A lane belongs to one process at a time, so running attempts are tracked in
 * memory and need no claim of their own.
 *
 *             something is due             nothing is due
 *   unowned ───────────────────▶ working ─────────────────▶ resting ── idle for a while ──▶ unowned
 *      ▲                           │  ▲    something is due    │
 *      │                           │  └────────────────────────┘
 *      └── the lease expired: the process died, or was paused too long
 *
 * Deliveries start in the order they are due, several at once, so they may arrive in another order.
 */
export class Lane {
  readonly row: LaneRow
  #tools: LaneTools
  /** Events with a running attempt, or with an outcome that is not recorded yet. */
  #held = new Set<string>()
  #waiting: Waiting
  #underWay = 0
  #moved = new Alarm()
  #end = new AbortController()
  #target: Target | undefined
  /** How often the webhook has changed. What was loaded before a change may be for the old receiver. */
  #changes = 0
  #failingSince: string | null
  #working: Promise<void> | undefined
  #isPoked = false
  #restingSince: number
  #failures = 0
  #pausedUntil = 0

  constructor(row: LaneRow, tools: LaneTools) {
    this.row = row
    this.#tools = tools
    this.#waiting = new Waiting(row, tools.bodies)
    this.#failingSince = row.failing_since
    this.#restingSince = tools.context.timers.elapsed()
  }

  /** Milliseconds without anything to do. */
  get idleTime(): number {
    return this.#working || this.#isPaused() ? 0 : this.#tools.context.timers.elapsed() - this.#restingSince
  }

  /** Checks for due deliveries. After an error the lane pauses, longer each time. */
  poke(): void {
    if (this.#isPaused()) return
    this.#isPoked = true
    this.#moved.ring()
    this.#working ??= this.#work()
      .then(() => {
        this.#failures = 0
      })
      .catch(error => {
        this.#waiting.rewind()
        this.#pausedUntil = this.#tools.context.timers.elapsed() + pauseAfter(++this.#failures)
        this.#tools.trouble.lanes.met(error, this.row)
      })
      .finally(() => {
        this.#working = undefined
        this.#restingSince = this.#tools.context.timers.elapsed()
      })
  }

  #isPaused(): boolean {
    return this.#tools.context.timers.elapsed() < this.#pausedUntil
  }

  /** Stops sending what was loaded before the webhook changed. */
  reload(): void {
    this.#changes++
    this.#target = undefined
    this.poke()
  }

  /** Starts nothing more and waits for running attempts. */
  async end(): Promise<void> {
    this.#end.abort()
    this.#moved.ring()
    await this.#working
  }

  async #work(): Promise<void> {
    const { db, clock } = this.#tools.context
    while (!this.#end.signal.aborted) {
      this.#isPoked = false
      const { target, due } = await this.#load()
      if (!target) await this.#cancelAll()
      else await this.#beginAll(due, target)
      if (this.#target !== target) this.#waiting.rewind()
      if (target && due.length > 0) continue
      await this.#waitForNews()
      if (this.#isPoked || this.#held.size > 0) continue
      if (!(await this.#lingers()) && !(await restLane(db, this.#tools.owner, this.row, clock.now()))) return
    }
    while (this.#held.size > 0) await this.#moved.rung()
  }

  async #cancelAll(): Promise<void> {
    const { db, clock } = this.#tools.context
    await cancelPending(db, this.row, clock.now())
    await this.#waiting.cancel(db, clock.now())
  }

  /** Waits until something may be due, or no attempt is running. */
  async #waitForNews(): Promise<void> {
    while (this.#held.size > 0 && !this.#isPoked && !this.#end.signal.aborted) await this.#moved.rung()
  }

  /** Waits a moment for more work, since resting costs a transaction. Returns true if more came. */
  async #lingers(): Promise<boolean> {
    const moved = this.#moved.next()
    if (this.#isPoked) return true
    const { signal } = this.#end
    await pause(this.#tools.context.timers, linger, signal, moved)
    return this.#isPoked
  }

  async #load(): Promise<{ target: Target | undefined; due: DueDelivery[] }> {
    const { db, clock, vault } = this.#tools.context
    const changes = this.#changes
    const [target, again, first] = await Promise.all([
      loadTarget(db, vault, this.row),
      loadDue(db, this.row, clock.now(), this.#held, page),
      this.#waiting.next(db, this.#held),
    ])
    if (this.#changes !== changes) {
      this.#waiting.rewind()
      return this.#load()
    }
    this.#target = target
    return { target, due: inOrder(again, first) }
  }

  /** Starts attempts as the lane and the process have room, for as long as the webhook is unchanged. */
  async #beginAll(due: readonly DueDelivery[], target: Target): Promise<void> {
    const { slots, context } = this.#tools
    const { organization_id } = this.row
    const isOver = () => this.#target !== target || this.#end.signal.aborted
    for (const delivery of due) {
      while (this.#isFull() && !isOver()) await this.#moved.rung()
      if (this.#failingSince && isDown(this.#failingSince, context.clock.now())) await this.#waitForTurn()
      if (isOver()) return
      const waiting = slots.take(organization_id)
      if (waiting) await waiting
      if (isOver()) return slots.give(organization_id)
      this.#held.add(delivery.event_id)
      this.#underWay++
      void this.#deliver(delivery, target)
    }
  }

  /**
   * Receivers that refuse at once would otherwise keep the process busy. The shared pace is taken after that
   * of the organization, so that an organization with many such lanes occupies it only once.
   */
  async #waitForTurn(): Promise<void> {
    const { each, all } = this.#tools.hopeless
    await this.#wait(each.of(this.row.organization_id))
    await this.#wait(all)
  }

  async #wait(pace: Pace): Promise<void> {
    const { timers } = this.#tools.context
    const milliseconds = pace.take(timers.elapsed())
    if (milliseconds >= 1) await pause(timers, milliseconds, this.#end.signal)
  }

  #isFull(): boolean {
    const width = this.#failingSince ? widths.failing : widths.well
    return this.#underWay >= width || this.#held.size >= mostHeld
  }

  async #deliver(delivery: DueDelivery, target: Target): Promise<void> {
    const { context, slots, outcomes } = this.#tools
    const outcome = await this.#attempt(delivery, target)
    slots.give(this.row.organization_id)
    this.#underWay--
    this.#moved.ring()
    const isAccepted = outcome.status === 'succeeded'
    context.metrics.count('gatehouse_delivery_attempts_total', isAccepted ? accepted : refused)
    outcomes.record(outcome, () => this.#settle(delivery, isAccepted))
  }

  #attempt(delivery: DueDelivery, target: Target): Promise<Outcome> {
    const { context, sender } = this.#tools
    const { tracing, clock } = context
    if (!tracing) return attemptDelivery(sender, clock, delivery, target)
    const { organization_id, webhook_id } = this.row
    const attributes = {
      'server.address': target.origin,
      'gatehouse.organization_id': organization_id,
      'gatehouse.webhook_id': webhook_id,
      'gatehouse.event_id': delivery.event_id,
    }
    return tracing.trace({ name: 'webhook delivery', kind: 'client', attributes, parent: '' }, async span => {
      const outcome = await attemptDelivery(sender, clock, delivery, target, span.traceparent)
      span.set({ 'http.response.status_code': outcome.attempt.status_code ?? undefined })
      return outcome
    })
  }

  #settle({ event_id, batch }: DueDelivery, isAccepted: boolean): void {
    if (batch) this.#waiting.settle(batch)
    const release = () => {
      this.#held.delete(event_id)
      this.#moved.ring()
    }
    if (isAccepted && this.#failingSince === null) release()
    else
      void this.#noteHealth(isAccepted)
        .catch(error => this.#tools.trouble.health.met(error, this.row))
        .finally(release)
  }

  async #noteHealth(isAccepted: boolean): Promise<void> {
    const { context } = this.#tools
    const since = this.#failingSince
    if (isAccepted) return this.#noteFailing(null)
    if (since === null) return this.#noteFailing(context.clock.now())
    if (hasFailedTooLong(since, context.clock.now())) await disableWebhook(context, this.row)
  }

  async #noteFailing(since: string | null): Promise<void> {
    this.#failingSince = since
    await noteFailing(this.#tools.context.db, this.row, since)
  }
}

/**
 * Merges retries and first attempts by due time. A delivery that was replayed before its first attempt is in
 * both lists and starts once: a statement cannot record two outcomes of the same delivery.
 */
function inOrder(again: DueDelivery[], first: DueDelivery[]): DueDelivery[] {
  if (again.length === 0) return first
  const waiting = new Set(first.map(({ event_id }) => event_id))
  const others = again.filter(({ event_id }) => !waiting.has(event_id))
  return [...others, ...first].toSorted((a, b) => (a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : 0))
}
