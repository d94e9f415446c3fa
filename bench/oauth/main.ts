import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Pool } from 'undici'
import { formatCount, judge, measureInTurn, median, medianRatio, printTable } from '../figures.ts'
import { startService } from '../service.ts'
import { createTenant } from '../tenant.ts'
import { makeCodes, prepare, redirect_uri, secret } from './codes.ts'
import { compareTokenCheck } from './token-check.ts'

// The engine's memory holds a thousand things and forgets the oldest, so codes are made in small portions.
const portion = 180
const portions = 6
// Enough for both to be busy all the time: one that stores what it gives waits for the disk between.
const at_once = 64

/** The token endpoint beside the engine alone, whose adapter keeps everything in memory; and what a token check costs. */
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
  // Several rounds: both are measured as they run for long, with their code compiled.
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

/** Exchanges a second, each of a code of its own; making the codes does not count. */
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

/** A connection for each exchange at a time. */
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
