/**
 * Work that grows with the policy, in steps. The caller can pause at each `yield`; a step takes well under a
 * millisecond. A caller that blocks nobody runs all steps at once; a service lets other work run in between.
 * The policy must not change until the last step.
 */
export type Steps<Result> = Generator<undefined, Result>

export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** A list produced in steps. Each undefined is a point at which the caller can pause. */
export type ListSteps<Item> = Generator<Item | undefined, void>

export function* itemsOf<Item>(steps: ListSteps<Item>): Generator<Item> {
  for (const item of steps) if (item !== undefined) yield item
}
