import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Pool } from 'undici'
import { formatCount, judge, measureInTurn, median, medianRatio, printTable } from '../figures.ts'
import { startService } from '../service.ts'
import { createTenant } from '../tenant.ts'
import { makeCodes, prepare, redirect_uri, secret } from './codes.ts'
import { compareTokenCheck } from './token-check.ts'

// The engine's memory holds a thousand entries and evicts the oldest, so codes are created in small portions.
const portion = 180
const portions = 6
// Enough to keep both sides busy: a server that stores its grants waits for the disk in between.
const at_once = 64

/**
 * Compares the token endpoint with the engine alone, whose adapter keeps everything in memory, and measures a
 * token check.
 */
export async function compareOauth(seconds: number): Promise<void> {
  await compareExchanges()
  if (seconds > 0) await compareTokenCheck(seconds)
}

async function compareExchanges(): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Bench')
  await prepare(service.db, tenant)
  const child = fork(new URL('engine-alone.ts', import.meta.url))
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  const alone = () =>
    exchangePortions(url, { client_id: 'bench', client_secret: 'secret' }, async () => {
      child.send({ count: portion })
      const [{ codes }] = (await once(child, 'message')) as [{ codes: string[] }]
      return codes
    })
  const client = { client_id: tenant.oauth_application_id, client_secret: secret }
  const ours = () => exchangePortions(service.url, client, () => makeCodes(service.db, tenant, portion))
  // Several warm-up rounds, so that both are measured with compiled code, as in a long-running process.
  for (let round = 0; round < 3; round++) for (const warmUp of [alone, ours]) await warmUp()
  const taken = await measureInTurn({ alone, ours })
  child.disconnect()
  const row = [formatCount(median(taken.alone)), formatCount(median(taken.ours))]
  const head = ['', 'engine alone/s', 'Gatehouse/s', 'ratio', 'bound', 'holds']
  const ratio = judge(medianRatio(taken.ours, taken.alone), 0.5, 'at least')
  printTable(`Exchanges of a code, ${at_once} at once, median of 5 rounds in turn`, head, [
    ['code → tokens', ...row, ...ratio],
  ])
}

/** Returns exchanges per second, each with its own code. Creating the codes does not count. */
async function exchangePortions(
  url: string,
  client: Record<string, string>,
  make: () => Promise<string[]>,
): Promise<number> {
  await using pool = openPool(url)
  let spent = 0
  for (let done = 0; done < portions; done++) {
    const codes = await make()
    const begun = performance.now()
    await Promise.all(Array.from({ length: at_once }, () => exchangeAll(pool, client, codes)))
    spent += performance.now() - begun
  }
  return (portion * portions * 1000) / spent
}

/** One connection per concurrent exchange. */
function openPool(url: string): Pool & AsyncDisposable {
  const pool = new Pool(url, { connections: at_once })
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() })
}

async function exchangeAll(pool: Pool, client: Record<string, string>, waiting: string[]): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (let code = waiting.pop(); code; code = waiting.pop()) {
    const form = new URLSearchParams({ grant_type: 'authorization_code', ...client, code, redirect_uri })
    const options = { path: '/oauth2/token', method: 'POST', headers, body: form.toString() } as const
    const { statusCode, body } = await pool.request(options)
    const answer = await body.text()
    if (statusCode !== 200) throw new Error(`${statusCode} ${answer}`)
  }
}
