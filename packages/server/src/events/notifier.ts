import type { Logger } from 'pino'
import type { Pool } from '../database/db.ts'
import { Alarm, type Ring } from '../flow/alarm.ts'
import { systemTimers } from '../flow/timers.ts'

/** Wakes all waiters, in this and in every other process. */
export interface Notifier {
  /** Call this after a commit, never inside a transaction: NOTIFY serializes commits. */
  notify(): void
  next(): Ring
}

/** The channels between processes. */
type Channel = 'gatehouse_events' | 'gatehouse_deliveries'

const notifyGap = 10

export function openNotifier(db: Pool, log: Logger, channel: Channel): Notifier {
  const alarm = new Alarm()
  // Waiters also poll, so a failure here only adds delay.
  db.listen(channel, () => alarm.ring()).catch(error =>
    log.warn({ err: error }, `cannot listen to ${channel}; polling`),
  )
  // It writes no data, so its commit need not wait for the disk.
  const announce = `SELECT pg_notify('${channel}', ''), set_config('synchronous_commit', 'off', true)`
  const notifyOthers = throttle(notifyGap, () => db.query(announce).catch(() => undefined))
  return {
    notify() {
      alarm.ring()
      notifyOthers()
    },
    next: () => alarm.next(),
  }
}

/** Runs `work` at once, then at most every `gap` milliseconds, whatever happens to the clock. */
function throttle(gap: number, work: () => void): () => void {
  let due = 0
  let planned = false
  return () => {
    if (planned) return
    planned = true
    systemTimers.later(Math.max(0, due - systemTimers.elapsed()), () => {
      planned = false
      due = systemTimers.elapsed() + gap
      work()
    })
  }
}
