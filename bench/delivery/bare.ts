import { Agent } from 'undici'

/** POSTs a second with nothing around them: the same body to the same receivers, as many at once as a service has. */
export async function measureBare(urls: readonly string[], total: number, body: string): Promise<number> {
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
        headers: { 'content-type': 'application/json' },
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
