import { Agent } from 'undici'

/** The same bytes as a delivery has, made once. */
export interface Message {
  readonly headers: string[]
  readonly body: string
}

/** POSTs a second with nothing around them: the same message to the same receivers, as many at once as a service has. */
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
