import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as dial } from 'node:net'
import { connect } from '@gatehouse-access/server'
import {
  findFreePort,
  makeDataFolder,
  newDatabase,
  openAccess,
  receiver,
  type Service,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { describe, expect, inject, it } from 'vitest'
import { openNetwork } from './network.ts'

/** Milliseconds. The service allows itself nine seconds, plus the delays of a busy machine. */
const deadline = 20_000

describe.concurrent('SIGTERM', within(120), () => {
  it('ends a service whose database swallows everything, with requests under way', async () => {
    await using stage = await openStage()
    stage.network.swallow()
    const asked = Array.from({ length: 50 }, (_, at) => listOrCreate(stage, at % 2 === 0))
    await timeEnd(stage)
    await Promise.all(asked)
  })

  it('ends a service whose client does not read its export and whose deliveries hang, as if they did not', async () => {
    await using stage = await openStage()
    await using hooks = await receiver(() => {})
    await send(stage, 'POST', '/v2/webhooks', { url: hooks.url, filter: [{ object_type: 'member' }] })
    await listOrCreate(stage, true)
    await hooks.waitFor(1)
    await stallExport(stage)
    expect((await timeEnd(stage)).code).toBe(0)
  })
})

type Stage = Awaited<ReturnType<typeof openStage>>

/** Starts a service as a process, with a proxy to its database. */
async function openStage() {
  const owned = new AsyncDisposableStack()
  const { url } = owned.use(await newDatabase(inject('databases')))
  const { path } = owned.use(await makeDataFolder())
  const network = owned.use(await openNetwork(url))
  const db = owned.use(connect({ url }, 1))
  const env = {
    DATABASE_URL: network.url,
    GATEHOUSE_DATA_DIR: path,
    GATEHOUSE_SECRET_KEY: randomBytes(32).toString('base64'),
    GATEHOUSE_WEBHOOK_ALLOW: '127.0.0.1',
  }
  const service: Service = owned.use(await startService({ port: await findFreePort(), env }))
  const access = await openAccess(db)
  return { owned, network, db, service, access, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function timeEnd({ service }: Stage) {
  const since = performance.now()
  const exit = await service.terminate()
  expect(performance.now() - since).toBeLessThan(deadline)
  expect(exit).toMatchObject({ signal: null, stderr: '' })
  return exit
}

function listOrCreate(stage: Stage, creates: boolean): Promise<unknown> {
  const answer = creates ? send(stage, 'POST', '/v2/members', {}) : send(stage, 'GET', '/v2/members')
  return answer.catch(() => undefined)
}

function send({ service, access }: Stage, method: string, path: string, body?: object): Promise<Response> {
  return fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${access.token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** Requests more than fits into the buffers between service and client, and reads nothing. */
async function stallExport({ owned, db, service, access }: Stage): Promise<void> {
  await db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     SELECT 'evt_' || lpad(n::text, 20, '0'), $1, jsonb_build_object('client', jsonb_build_object('user_agent', repeat('x', 10000))),
       'use', '{"type":"gadget_action"}', now(), now(), false FROM generate_series(1, 4000) n`,
    [access.organization_id],
  )
  const socket = dial(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
  owned.defer(() => void socket.destroy())
  socket.write(
    `GET /v2/events/export?format=csv HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${access.token}\r\n\r\n`,
  )
  await once(socket, 'readable')
}
