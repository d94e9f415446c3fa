import { Agent, request } from 'node:http'

/** What one process sends: so many a second, whether or not the last were answered. */
export interface Flood {
  readonly url: string
  readonly requests: readonly { readonly method?: string; readonly path: string; readonly body?: string }[]
  readonly headers: Readonly<Record<string, string>>
  readonly a_second: number
  readonly seconds: number
  readonly connections: number
}

export interface Outcome {
  readonly sent: number
  readonly refused: number
  readonly failed: number
  /** Milliseconds from when a request was due to the end of its answer, of those that were accepted. */
  readonly accepted: readonly number[]
}

process.on('message', async (flood: Flood) => process.send?.(await run(flood)))
process.on('disconnect', () => process.exit())

async function run({ url, requests, headers, a_second, seconds, connections }: Flood): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const outcome = { sent: 0, refused: 0, failed: 0, accepted: [] as number[] }
  const begun = performance.now()
  const pending = new Set<Promise<void>>()
  while (performance.now() - begun < seconds * 1000) {
    const due = Math.floor(((performance.now() - begun) / 1000) * a_second)
    for (; outcome.sent < due; outcome.sent++) {
      const at = begun + (outcome.sent / a_second) * 1000
      const answer = send(requests[outcome.sent % requests.length] as Flood['requests'][number], at)
      pending.add(answer)
      void answer.then(() => pending.delete(answer))
    }
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  await Promise.all(pending)
  agent.destroy()
  return outcome

  function send({ method = 'GET', path, body }: Flood['requests'][number], at: number): Promise<void> {
    return new Promise(resolve => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const sending = request(url + path, { agent, method, headers: { ...headers, ...type } }, answer => {
        answer.resume().on('end', () => {
          if (answer.statusCode === 200) outcome.accepted.push(performance.now() - at)
          else if (answer.statusCode === 503) outcome.refused++
          else outcome.failed++
          resolve()
        })
      })
      sending.on('error', () => {
        outcome.failed++
        resolve()
      })
      sending.end(body)
    })
  }
}
