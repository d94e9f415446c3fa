import { systemTimers } from '../../packages/server/src/flow/timers.ts'
import { systemClock } from '../../packages/server/src/index.ts'
import { TokenCache } from '../../packages/server/src/services/applications/token-cache.ts'
import { judge, measureInTurn, median, printTable } from '../figures.ts'
import { openLoad } from '../load.ts'
import { startService } from '../service.ts'
import { createTenant } from '../tenant.ts'

const checks = 200_000

/** Compares the time of one token check, with a lookup once a second, with the time of one GET. */
export async function compareTokenCheck(seconds: number): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Bench')
  const headers = await tenant.headers()
  const token = (headers.authorization ?? '').slice('Bearer '.length)
  using load = openLoad()
  const request = { path: '/v2/organization', headers }
  const get = async () =>
    1_000_000 /
    (await load.measure({ url: service.url, connections: 32, duration: seconds, requests: [request] }))
  const revocations = { onRevoked: () => undefined } as never
  const tokens = new TokenCache({ db: service.db, clock: systemClock, timers: systemTimers, revocations })
  const check = async () => {
    const begun = performance.now()
    for (let done = 0; done < checks; done++) await tokens.find(token)
    return ((performance.now() - begun) * 1000) / checks
  }
  for (const warmUp of [get, check]) await warmUp()
  const taken = await measureInTurn({ get, check })
  const [one, part] = [median(taken.get), median(taken.check)]
  const head = ['', 'GET µs', 'check µs', 'share', 'bound', 'holds']
  const share = judge(part / one, 0.05, 'at most', 3)
  printTable('What checking a token adds to a GET', head, [
    ['GET the organization', one.toFixed(1), part.toFixed(2), ...share],
  ])
}
