import { addSeconds } from '@gatehouse-access/core'
import type { Logger } from 'pino'
import type { Database } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import { SerialQueue } from '../flow/serial-queue.ts'
import {
  endInstanceAlarm,
  forgetInstanceAlarms,
  type InstanceCondition,
  type InstanceReport,
  raiseInstanceAlarm,
} from './instance-alarm.ts'

interface Needs {
  readonly db: Database
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
}

/** Seconds after which what goes on is stored again. */
const refresh = 60
/** Seconds after which an alarm that nobody finds any more is over. Longer than any backup takes. */
const forgotten = 86_400

/**
 * Records what this process finds wrong with the installation, for its operator. Whoever reports does not wait and
 * cannot fail by it: a service whose database is away has told its log already.
 */
export class InstanceAlarms implements AsyncDisposable {
  readonly #needs: Needs
  readonly #queue = new SerialQueue()
  readonly #since: string
  /** What was last stored of each, and when. */
  readonly #stored = new Map<string, { readonly told: string; readonly at: string }>()

  constructor(needs: Needs) {
    this.#needs = needs
    this.#since = needs.clock.now()
  }

  raise(report: InstanceReport): void {
    const { db, clock } = this.#needs
    this.#store(report, JSON.stringify(report), () => raiseInstanceAlarm(db, report, clock.now()))
  }

  end(condition: InstanceCondition): void {
    const { db, clock } = this.#needs
    this.#store(condition, '', () => endInstanceAlarm(db, condition, clock.now()))
  }

  /** Ends alarms of machines that are gone, once this process has run for as long as that takes to know. */
  async forget(): Promise<void> {
    const { db, clock } = this.#needs
    const before = addSeconds(clock.now(), -forgotten)
    if (this.#since < before) await forgetInstanceAlarms(db, before, clock.now())
  }

  /** Waits until everything that was reported is stored. */
  settled(): Promise<void> {
    return this.#queue.run(async () => undefined)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.settled()
  }

  #store({ type, reason, place }: InstanceCondition, told: string, store: () => Promise<void>): void {
    const key = `${type} ${reason} ${place}`
    void this.#queue.run(async () => {
      const now = this.#needs.clock.now()
      const known = this.#stored.get(key)
      if (known?.told === told && (told === '' || now < addSeconds(known.at, refresh))) return
      try {
        await store()
        this.#stored.set(key, { told, at: now })
      } catch (error) {
        this.#needs.log.warn(
          { err: error, alarm: type, reason },
          'an alarm of the installation was not stored',
        )
      }
    })
  }
}
