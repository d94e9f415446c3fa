/**
 * Loaded into the service before anything else. A timer fires every two milliseconds unless the event loop is
 * blocked. Blocking is measured in CPU time of the loop's own thread, because a busy machine adds to every
 * other clock.
 */
const period = 2
let lastWall = performance.now()
let lastBusy = busyTime()
let longest = 0

function busyTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

setInterval(() => {
  const wall = performance.now()
  const busy = busyTime()
  longest = Math.max(longest, Math.min(wall - lastWall, busy - lastBusy))
  lastWall = wall
  lastBusy = busy
}, period).unref()

/** Reports the longest block since the last signal, and the memory in use. */
process.on('SIGUSR2', () => {
  const { rss } = process.memoryUsage()
  process.stdout.write(`probe ${JSON.stringify({ longest, rss })}\n`)
  longest = 0
})
