import type { Steps } from '@gatehouse-access/core'

/**
 * Work that nobody waits for, such as an import, runs in the gaps between requests: it takes a short slice at a time, and
 * begins none while a request is being answered, unless requests keep coming for longer than its patience. A request that
 * arrives waits for one slice at most.
 */
export const slice = 0.5
/** Milliseconds: of most, and of what should not be late. */
const patience = 4
export const soon = 3
/** Milliseconds after which a request that is still open no longer counts: a stream, or a slow reader. */
const long = 50

/** The requests that are being answered. */
const answering = new Set<{ readonly since: number }>()
/** Those who wait for a gap, in the order in which they came. */
const waiting: { readonly go: () => void; readonly until: number }[] = []
let isPlanned = false
let timer: NodeJS.Timeout | undefined

interface Answer {
  once(event: 'close', listener: () => void): unknown
}

/** Counts a request until its answer is sent or its connection is gone. */
export function noteRequest(answer: Answer): void {
  const request = { since: performance.now() }
  answering.add(request)
  answer.once('close', () => {
    answering.delete(request)
    if (answering.size === 0) plan()
  })
}

/** Resolves once no request is being answered, or patience has run out. Requests that have arrived meanwhile come first. */
export function gap(longest = patience): Promise<void> {
  return new Promise(go => {
    waiting.push({ go, until: performance.now() + longest })
    plan()
  })
}

/** Runs steps to completion, in slices. */
export async function inGaps<Result>(steps: Steps<Result>, longest = patience): Promise<Result> {
  for (;;) {
    await gap(longest)
    const end = performance.now() + slice
    do {
      const { done, value } = steps.next()
      if (done) return value
    } while (performance.now() < end)
  }
}

/** Divides what a loop does into slices. */
export class Slices {
  #end = performance.now() + slice

  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  async next(): Promise<void> {
    await gap()
    this.#end = performance.now() + slice
  }
}

/** The loop looks for requests before it comes to what is planned. */
function plan(): void {
  if (isPlanned || waiting.length === 0) return
  isPlanned = true
  setImmediate(letNextGo)
}

/** One at a time: each may do as much as a slice. */
function letNextGo(): void {
  isPlanned = false
  clearTimeout(timer)
  const [first] = waiting
  if (!first) return
  const now = performance.now()
  if (isAnswering(now) && now < first.until) {
    timer = setTimeout(plan, first.until - now)
    return
  }
  waiting.shift()
  first.go()
  plan()
}

function isAnswering(now: number): boolean {
  for (const request of answering) {
    if (now - request.since < long) return true
    answering.delete(request)
  }
  return false
}
