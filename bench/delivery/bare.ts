import { Agent } from 'undici'

/** The same bytes as a delivery, created once. */
export interface Message {
  readonly headers: string[]
  readonly body: string
}

/** Measures bare POSTs per second: the same message, receivers and concurrency as a service. */
export async function measureBare(
  urls: readonly string[],
  total: number,
  { headers, body }: Message,
): Promise<number> {
  const agent = new Agent()
  const targets = urls.map(url => new URL(url))
  let sent = 0
  const work = async (lane: number) => {
    const { origin } = targets[lane % targets.length] as URL
    while (sent++ < total) {
      const { body: answer } = await agent.request({
        origin,
        path: '/',
        method: 'POST',
        headers,
        body,
      })
      await answer.dump()
    }
  }
  const begin = performance.now()
  await Promise.all(Array.from({ length: urls.length * 8 }, (_, lane) => work(lane)))
  const seconds = (performance.now() - begin) / 1000
  await agent.close()
  return total / seconds
}
