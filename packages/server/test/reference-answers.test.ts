import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import {
  type Endpoint,
  endpoints,
  exampleBody,
  exampleId,
  exampleUntil,
  expandsOf,
  type Kind,
  openApi,
  prefixes,
} from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { isSoak, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { plantJob } from '../../../test/properties/one-of-each.ts'
import { plantAlarms } from '../../../test/properties/plant-alarms.ts'
import { lintOpenApi } from '../../api/test/lint-openapi.ts'
import { curlExample, requiredQuery } from '../src/http/reference/curl.ts'
import { type Answer, type Run, walkEndpoints } from './walk-endpoints.ts'

const shell = promisify(execFile)
const hasCurl = spawnSync('curl', ['--json', '{}', '--version']).status === 0

test('real answers, with every expand, are as the document says', async () => {
  await using w = await world()
  const tenant = await w.tenant()
  const answers = await walkEndpoints(overHttp(w, tenant), await plantMade(w, tenant))
  expect(answers.size).toBe(endpoints.length)
  expect(await lintOpenApi(withAnswers(answers))).toEqual([])
})

test.runIf(hasCurl)('every curl example of the reference works when pasted', async () => {
  await using w = await world()
  const tenant = await w.tenant()
  const { token } = tenant
  // Every fifth in `npm test`, because each starts a shell and curl. The others are asked without them.
  const isPasted = (endpoint: Endpoint) => isSoak || endpoints.indexOf(endpoint) % 5 === 0
  const answers = await walkEndpoints(
    async (endpoint, ids) => {
      if (!isPasted(endpoint)) return overHttp(w, tenant)(endpoint, ids)
      await prepare(w, endpoint)
      const example = inTime(w, curlExample(endpoint, `${w.url}/v2`))
      const script = `curl() { command curl -sS --fail-with-body "$@"; }\n${example}`
      const { stdout } = await shell('sh', ['-c', script], {
        env: { ...process.env, TOKEN: token, ...variables(ids) },
      })
      return JSON.parse(stdout)
    },
    await plantMade(w, tenant),
  )
  expect(answers.size).toBe(endpoints.length)
})

/** What the service makes by itself. */
async function plantMade({ server }: World, tenant: Tenant): Promise<Record<string, string>> {
  const { organization_id } = tenant
  const places = { site: exampleId('site'), device: exampleId('device'), gadget: exampleId('gadget') }
  const { alarm, notification } = await plantAlarms(server.context, organization_id, places)
  // Of a type of which nothing is asked.
  const job = await plantJob(server.context, tenant, 'booking_sync')
  return { alarm_id: alarm, notification_id: notification, job_id: job }
}

/** Examples name times to come, which come. */
function inTime({ clock }: World, text: string): string {
  return text.replaceAll(exampleUntil, addSeconds(clock.now(), 3600))
}

async function prepare(w: World, { id, verb }: Endpoint): Promise<void> {
  if (verb === 'command') await makeReady(w)
  if (id === 'site.fire_reset') await burn(w)
  if (id === 'notification_target.verify' || id === 'notification_target.test')
    await w.server.context.db.query('UPDATE notification_targets SET is_verified = true')
}

/** Only a fire whose contact has cleared can be reset. */
async function burn({ server }: World): Promise<void> {
  const at = server.context.clock.now()
  await server.context.db.query(
    `UPDATE sites SET fire = jsonb_build_object('source_gadget_id', g.id, 'source_state_id', 'closed', 'release_gadget_ids', '[]'::jsonb, 'since', $1::text, 'cleared_at', $1::text)
     FROM gadgets g WHERE g.site_id = sites.id`,
    [at],
  )
}

/** Makes all devices virtual and starts all stays, because commands succeed only then. */
async function makeReady({ server }: World): Promise<void> {
  await server.context.db.query('UPDATE devices SET hardware_id = NULL')
  await server.context.db.query('UPDATE members SET starts_at = NULL')
}

function variables(ids: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name.toUpperCase(), id]))
}

/** Sends the documented example with real IDs and requests all expands. */
function overHttp(w: World, { token }: Tenant): Run {
  return async (endpoint, ids) => {
    await prepare(w, endpoint)
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
    const body = exampleBody(endpoint)
    const response = await fetch(
      `${w.url}/v2${path}${allExpands(endpoint) || withRealIds(requiredQuery(endpoint), ids)}`,
      {
        method: endpoint.method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: inTime(w, withRealIds(JSON.stringify(body), ids)) }),
      },
    )
    const answer = (await response.json()) as Answer
    expect([endpoint.id, response.status, response.ok ? '' : answer]).toEqual([endpoint.id, 200, ''])
    return answer
  }
}

function allExpands(endpoint: Endpoint): string {
  const names = expandsOf(endpoint)
  return names.length > 0 ? `?expand=${names.join(',')}` : ''
}

function withRealIds(text: string, ids: Readonly<Record<string, string>>): string {
  const kinds = Object.keys(prefixes) as Kind[]
  return kinds.reduce((changed, kind) => changed.replaceAll(exampleId(kind), ids[`${kind}_id`] ?? ''), text)
}

/** Returns the document with real responses as examples, for the linter to check against their schemas. */
function withAnswers(answers: ReadonlyMap<Endpoint, Answer>): ReturnType<typeof openApi> {
  const document = structuredClone(openApi('https://gatehouse.test/v2'))
  const paths = document.paths as Record<string, Record<string, Operation>>
  for (const [{ path, method }, answer] of answers) {
    const operation = paths[path]?.[method.toLowerCase()] as Operation
    operation.responses[200].content['application/json'].example = answer
  }
  return document
}

interface Operation {
  responses: { 200: { content: { 'application/json': { example: unknown } } } }
}
