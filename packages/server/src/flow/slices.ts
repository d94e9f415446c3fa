import { RequestError } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import { present } from './present.ts'

/**
 * All requests share the event loop. Work that grows with an organization's data runs in steps, and takes at
 * most this many milliseconds per loop iteration in total. Organizations take turns. Short work runs at once.
 */
const slice = 5
/** Limit of CPU time for one response, in milliseconds. No reasonable request comes near it. */
export const longestAnswer = 10_000

interface Task {
  readonly steps: Steps<unknown>
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  /** Milliseconds of CPU time left. */
  left: number
}

const waiting = new Map<string, Task[]>()
let used = 0
let isTurnPlanned = false

/** Runs steps to completion. Rejects after more than `longest` milliseconds of work. */
export function inSlices<Result>(
  owner: string,
  steps: Steps<Result>,
  longest = Number.POSITIVE_INFINITY,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const task = { steps, resolve, reject, left: longest } as Task
    if (waiting.size > 0 || used >= slice || !advance(task)) enqueue(owner, task)
    planTurn()
  })
}

function enqueue(owner: string, task: Task): void {
  const queue = waiting.get(owner)
  if (queue) queue.push(task)
  else waiting.set(owner, [task])
}

function planTurn(): void {
  if (isTurnPlanned || (waiting.size === 0 && used === 0)) return
  isTurnPlanned = true
  setImmediate(takeTurn)
}

function takeTurn(): void {
  isTurnPlanned = false
  used = 0
  while (used < slice && waiting.size > 0) serveNext()
  planTurn()
}

/**
 * Serves the next organization. An unfinished task then moves to the end of the organization's queue, and the
 * organization behind the others.
 */
function serveNext(): void {
  const [owner, queue] = present(waiting.entries().next().value, 'who waits')
  const task = present(queue.shift(), 'a task')
  waiting.delete(owner)
  if (queue.length > 0) waiting.set(owner, queue)
  if (!advance(task)) enqueue(owner, task)
}

/** Returns false if the task has more to do. */
function advance(task: Task): boolean {
  const began = performance.now()
  const end = began + Math.min(slice - used, task.left)
  try {
    for (let now = began; now < end; now = performance.now()) {
      const { done, value } = task.steps.next()
      if (done) task.resolve(value as never)
      if (done) return true
    }
    task.left -= performance.now() - began
    if (task.left <= 0) throw tooLong()
    return false
  } catch (error) {
    task.reject(error)
    return true
  } finally {
    used += performance.now() - began
  }
}

function tooLong(): RequestError {
  const message = `this takes more than ${longestAnswer / 1000} s to compute, because too many rules of the organization apply`
  return new RequestError('unavailable', message, { headers: { 'retry-after': '60' } })
}
