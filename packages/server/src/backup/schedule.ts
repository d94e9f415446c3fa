const day = 24 * 3600 * 1000
/** The hour at which most doors rest, in local time. */
const hour = 3
const mostJitter = 30 * 60 * 1000
const week = 7 * day

/** Milliseconds before or after the hour, so that not all installations of a site write at once. */
export function chooseJitter(): number {
  return Math.round((Math.random() * 2 - 1) * mostJitter)
}

/** Whether a daily backup is due: whether the last one began before the last time for it. */
export function isBaseDue(last: Date | undefined, now: Date, jitter: number): boolean {
  return last === undefined || last < lastTime(now, jitter)
}

function lastTime(now: Date, jitter: number): Date {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate(), hour)
  const time = new Date(today.getTime() + jitter)
  if (time <= now) return time
  return new Date(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, hour).getTime() + jitter)
}

/** Whether a drill is due: a week after the last, or a day after one that failed. */
export function isDrillDue(last: { at: string; error: string | null } | undefined, now: Date): boolean {
  if (!last) return true
  return now.getTime() - Date.parse(last.at) >= (last.error === null ? week : day)
}
