interface Waiting<Given, Got> {
  readonly given: Given
  readonly resolve: (got: Got) => void
  readonly reject: (error: unknown) => void
}

interface GatherOptions {
  /** How many answers may be under way at once. */
  readonly lanes: number
  readonly most: number
}

/**
 * Asks for many things together: what comes in while answers are under way waits and goes out as one. Under little load
 * everything goes alone and at once; the more there is, the less each costs. Answers come in the order of what was given.
 */
export function gather<Given, Got>(
  ask: (given: readonly Given[]) => Promise<readonly Got[]>,
  { lanes, most }: GatherOptions,
): (given: Given) => Promise<Got> {
  const waiting: Waiting<Given, Got>[] = []
  let under_way = 0
  const run = async () => {
    const batch = waiting.splice(0, most)
    if (batch.length > 0) await answer(ask, batch)
    under_way--
    start()
  }
  const start = () => {
    if (under_way >= lanes || waiting.length === 0) return
    under_way++
    setImmediate(run)
  }
  return given =>
    new Promise((resolve, reject) => {
      waiting.push({ given, resolve, reject })
      start()
    })
}

async function answer<Given, Got>(
  ask: (given: readonly Given[]) => Promise<readonly Got[]>,
  batch: readonly Waiting<Given, Got>[],
): Promise<void> {
  try {
    const got = await ask(batch.map(({ given }) => given))
    for (const [index, { resolve }] of batch.entries()) resolve(got[index] as Got)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
