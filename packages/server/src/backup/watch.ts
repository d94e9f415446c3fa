import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { BackupsTold } from '../monitoring/backup-health.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { InstanceAlarms } from '../operator/instance-alarms.ts'

/** What can be wrong with the backups. */
const reasons = ['base', 'wal', 'drill'] as const
type Reason = (typeof reasons)[number]

const second = 1000
/** Ages in seconds after which something must have gone wrong. */
const oldest = { base: 36 * 3600, wal: 600, drill: 14 * 24 * 3600 } as const
const words = {
  base: 'the newest backup is older than 36 hours',
  wal: 'the log was not archived for 10 minutes',
  drill: 'no backup was restored for a trial in 14 days',
} as const
/** Milliseconds after which an alarm that lasts is told again. */
const repeat = 3_600_000

/** Knows how old the backups are, and raises an alarm where they are too old or fail. */
export class BackupWatch {
  readonly #log: Pick<Logger, 'info' | 'error'>
  readonly #failures = new Map<Reason, string>()
  readonly #told = new Map<Reason, { message: string; at: number }>()
  /** When each was last done; undefined before the first. */
  readonly #done = new Map<Reason, number>()
  readonly #kinds: readonly Reason[]
  readonly #alarms: Pick<InstanceAlarms, 'raise' | 'end'> | undefined
  #since = Date.now()

  constructor(
    log: Pick<Logger, 'info' | 'error'>,
    metrics: Metrics,
    kinds: readonly Reason[] = reasons,
    alarms?: Pick<InstanceAlarms, 'raise' | 'end'>,
  ) {
    this.#log = log
    this.#kinds = kinds
    this.#alarms = alarms
    const gauges = [
      ['gatehouse_backup_age_seconds', 'Age of the newest backup.', 'base'],
      ['gatehouse_wal_archive_lag_seconds', 'Age of the oldest change that is not archived.', 'wal'],
      ['gatehouse_backup_drill_age_seconds', 'Time since a backup was restored for a trial.', 'drill'],
    ] as const
    for (const [name, help, reason] of gauges)
      if (kinds.includes(reason)) metrics.gauge(name, help, () => this.age(reason))
    for (const reason of kinds)
      metrics.gauge(
        'gatehouse_backup_failed',
        '1 while backups fail or are too old.',
        () => (this.alarmOf(reason) === undefined ? 0 : 1),
        { reason },
      )
  }

  /** Since when backups are made: what was never done is as old as that. */
  begin(since: string): void {
    this.#since = Date.parse(since)
  }

  /** Notes what was done earlier: what has failed since still fails. */
  knows(reason: Reason, at: string): void {
    this.#done.set(reason, Date.parse(at))
  }

  done(reason: Reason, at: string): void {
    this.knows(reason, at)
    this.#failures.delete(reason)
    // Only here: a process that has just started does not know yet what failed before.
    if (this.alarmOf(reason) === undefined) this.#alarms?.end(conditionOf(reason))
    this.look()
  }

  failed(reason: Reason, message: string): void {
    this.#failures.set(reason, message)
    this.look()
  }

  /** Returns seconds. */
  age(reason: Reason): number {
    return Math.max(0, (Date.now() - (this.#done.get(reason) ?? this.#since)) / second)
  }

  alarmOf(reason: Reason): string | undefined {
    return this.#failures.get(reason) ?? (this.age(reason) > oldest[reason] ? words[reason] : undefined)
  }

  tell(): BackupsTold {
    const drilled = this.#done.get('drill')
    return {
      verified_at: drilled === undefined ? null : new Date(drilled).toISOString(),
      is_failing: this.#kinds.some(reason => this.alarmOf(reason) !== undefined),
    }
  }

  /** Tells of alarms that begin, last or end. */
  look(now = Date.now()): void {
    for (const reason of this.#kinds) {
      const message = this.alarmOf(reason)
      if (message !== undefined) this.#alarms?.raise({ ...conditionOf(reason), message })
      const told = this.#told.get(reason)
      if (message === undefined) {
        if (told) this.#log.info({ alarm: 'backup_failed', reason }, 'backups work again')
        this.#told.delete(reason)
      } else if (told?.message !== message || now - told.at > repeat) {
        this.#told.set(reason, { message, at: now })
        this.#log.error({ alarm: 'backup_failed', reason }, `backup_failed: ${message}`)
      }
    }
  }
}

/** Each machine has a folder of its own, or a mount of its own. */
function conditionOf(reason: Reason) {
  return { type: 'backup_failed', reason, place: hostname() } as const
}
