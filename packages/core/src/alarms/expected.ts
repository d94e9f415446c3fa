import type { DoorWatch, Stretch } from './door-watch.ts'

/** Whether an opening at an instant is expected: released, asked for from inside, or open to anybody. */
export function isExpected({ expected, unlocked_since }: DoorWatch, at: number): boolean {
  if (unlocked_since !== null && at >= unlocked_since) return true
  return expected.some(([from, until]) => from <= at && at <= until)
}

/** Expects openings within a stretch. Those that it explains are no longer unexplained. */
export function expect(watch: DoorWatch, stretch: Stretch): DoorWatch {
  const after = { ...watch, expected: joined([...watch.expected, stretch]) }
  return { ...after, unexplained: watch.unexplained.filter(({ at }) => !isExpected(after, at)) }
}

/** Forgets what ended before an instant. */
export function forgetExpected(watch: DoorWatch, before: number): DoorWatch {
  const expected = watch.expected.filter(([, until]) => until >= before)
  return expected.length === watch.expected.length ? watch : { ...watch, expected }
}

/** Joins stretches that touch, so that there are never many. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = []
  for (const [from, until] of stretches.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1)
    if (last && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], until)]
    else result.push([from, until])
  }
  return result
}
