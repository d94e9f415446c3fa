/**
 * Work that grows with a policy, in steps: each `yield` is a place to pause, well under a millisecond of work after the
 * last. A caller with nobody waiting runs it to the end at once; a service lets others run in between. The policy must not
 * change meanwhile.
 */
export type Steps<Result> = Generator<undefined, Result>

export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** A list in steps: what is undefined is a place to pause at. */
export type ListSteps<Item> = Generator<Item | undefined, void>

export function* itemsOf<Item>(steps: ListSteps<Item>): Generator<Item> {
  for (const item of steps) if (item !== undefined) yield item
}
