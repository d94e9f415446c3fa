/** Milliseconds that the rest may take once one answer is good: a server that hangs must not delay everyone. */
const grace = 500

/** Waits for all answers, but not much longer than for the first good one. Returns those that came, in order. */
export async function gatherSoon<T>(
  asked: readonly Promise<T>[],
  isGood: (answer: T) => boolean,
): Promise<T[]> {
  const answers = new Map<number, T>()
  const soon = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const all = asked.map(async (promise, index) => {
    const answer = await promise
    answers.set(index, answer)
    if (isGood(answer)) timer ??= setTimeout(soon.resolve, grace)
  })
  await Promise.race([Promise.all(all), soon.promise])
  clearTimeout(timer)
  return [...answers].sort(([one], [other]) => one - other).map(([, answer]) => answer)
}
