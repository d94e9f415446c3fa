import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Pool } from '@gatehouse-access/server'
import { findFreePort, newDatabase, openAccess, type Service, startService } from '@gatehouse-access/testkit'
import { inject } from 'vitest'

/** Measurements of the service since the last request for them. */
export interface Held {
  /** The longest time that the event loop was blocked, in milliseconds of CPU time. */
  readonly longest: number
  readonly rss: number
}

export interface Neighbour {
  readonly organization_id: string
  readonly token: string
  ask(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, never> }>
}

/** The service in its own process, so that it does not share the test's event loop. */
export interface Stage extends AsyncDisposable {
  readonly url: string
  readonly db: Pool
  neighbour(): Promise<Neighbour>
  /** Returns the measurements since the last call. */
  held(): Promise<Held>
}

const probe = new URL('probe.ts', import.meta.url).pathname

export async function stage(): Promise<Stage> {
  const owned = new AsyncDisposableStack()
  const database = owned.use(await newDatabase(inject('databases')))
  const env = {
    DATABASE_URL: database.url,
    NODE_OPTIONS: `--import ${probe}`,
    GATEHOUSE_SECRET_KEY: secretKey,
    // A busy machine would otherwise cancel the largest deletion, which is no hold of the loop.
    GATEHOUSE_POOL_WAIT: '60',
    GATEHOUSE_STATEMENT_TIMEOUT: '120',
  }
  const service = owned.use(
    await startService({
      port: await findFreePort(),
      env,
      ...(process.env.REPRO && { program: process.env.REPRO }),
    }),
  )
  const db = owned.use(connect({ url: database.url }, 2))
  return {
    url: service.url,
    db,
    neighbour: async () => neighbourOf(service.url, await openAccess(db)),
    held: () => askProbe(service),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const secretKey = Buffer.alloc(32, 7).toString('base64')

function neighbourOf(url: string, access: { organization_id: string; token: string }): Neighbour {
  return { ...access, ask: (method, path, body) => ask(url + path, access.token, method, body) }
}

export function ask(url: string, token: string, method: string, body?: object) {
  return askAs({ authorization: `Bearer ${token}` }, url, method, body)
}

export async function askAs(who: Record<string, string>, url: string, method: string, body?: object) {
  const answer = await fetch(url, {
    method,
    headers: { ...who, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, never> }
}

async function askProbe(service: Service): Promise<Held> {
  const told = service.stdout().length
  process.kill(service.pid, 'SIGUSR2')
  for (;;) {
    const [, line] = /^probe (.*)$/m.exec(service.stdout().slice(told)) ?? []
    if (line) return JSON.parse(line)
    await sleep(2)
  }
}
