interface Waiting<Given, Got> {
  readonly given: Given
  readonly resolve: (got: Got) => void
  readonly reject: (error: unknown) => void
}

interface GatherOptions {
  /** How many calls may be in flight at once. */
  readonly lanes: number
  readonly most: number
}

/**
 * Batches requests: those that arrive while calls are in flight wait and are sent together. Under low load
 * each request is sent alone and at once. The higher the load, the less each one costs. `ask` must return its
 * results in the order of the requests.
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
