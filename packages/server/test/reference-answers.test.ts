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
import { plantJob, plantPrivacy } from '../../../test/properties/one-of-each.ts'
import { plantAlarms } from '../../../test/properties/plant-alarms.ts'
import { lintOpenApi } from '../../api/test/lint-openapi.ts'
import { curlExample, requiredQuery } from '../src/http/reference/curl.ts'
import { openSession } from '../src/services/accounts/sessions.ts'
import { addToOrganization, createUser } from '../src/services/accounts/users.ts'
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
  const ask = overHttp(w, tenant)
  // Every fifth in `npm test`, because each starts a shell and curl. The others are asked without them.
  const isPasted = (endpoint: Endpoint) =>
    !isOwners(endpoint) && (isSoak || endpoints.indexOf(endpoint) % 5 === 0)
  const answers = await walkEndpoints(
    async (endpoint, ids) => {
      if (!isPasted(endpoint)) return ask(endpoint, ids)
      await prepare(w, endpoint)
      const example = inTime(w, curlExample(endpoint, `${w.url}/v2`))
      const script = `curl() { command curl -sS --fail-with-body "$@"; }\n${example}`
      const { stdout } = await shell('sh', ['-c', script], {
        env: { ...process.env, TOKEN: tenant.token, ...variables(ids) },
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
  const other = await tenant.client.members.create({ name: 'Other' })
  const { erasure } = await plantPrivacy(server.context, tenant, other.id)
  return { alarm_id: alarm, notification_id: notification, job_id: job, erasure_id: erasure }
}

/** Examples name times to come, which come. */
function inTime({ clock }: World, text: string): string {
  return text.replaceAll(exampleUntil, addSeconds(clock.now(), 3600))
}

async function prepare(w: World, { id, verb }: Endpoint): Promise<void> {
  if (verb === 'command') await makeReady(w)
  if (id === 'site.fire_reset') await burn(w)
  // It was lost when it was replaced.
  if (id === 'card.delete')
    await w.server.context.db.query('UPDATE cards SET is_lost = false, lost_at = NULL, lost_reason = NULL')
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

/** Whether only an owner may ask for it, signed in: no token can. */
function isOwners({ resource, method }: Endpoint): boolean {
  return resource.kind === 'legal_hold' && method !== 'GET'
}

/** Returns the headers of an owner who is signed in. */
async function signInOwner({ server, url }: World, { organization_id }: Tenant) {
  const { context } = server
  const user_id = await createUser(context, context.db, 'owner@example.com', 'Owner', 'correct horse battery')
  await addToOrganization(context, context.db, organization_id, user_id, 'owner')
  const session = await openSession(context, user_id, 'password', {
    ip_address: '127.0.0.1',
    user_agent: undefined,
  })
  const headers = { cookie: `gatehouse_session=${session}`, 'x-organization-id': organization_id }
  const answer = await fetch(`${url}/account/session`, { headers })
  const { csrf_token } = (await answer.json()) as { csrf_token: string }
  return { ...headers, 'x-csrf-token': csrf_token }
}

/** Sends the documented example with real IDs and requests all expands. */
function overHttp(w: World, tenant: Tenant): Run {
  const bearer = { authorization: `Bearer ${tenant.token}` }
  let owner: Awaited<ReturnType<typeof signInOwner>> | undefined
  return async (endpoint, ids) => {
    await prepare(w, endpoint)
    if (isOwners(endpoint)) owner ??= await signInOwner(w, tenant)
    const credentials = isOwners(endpoint) && owner ? owner : bearer
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
    const body = exampleBody(endpoint)
    const response = await fetch(
      `${w.url}/v2${path}${allExpands(endpoint) || withRealIds(requiredQuery(endpoint), ids)}`,
      {
        method: endpoint.method,
        headers: { ...credentials, ...(body && { 'content-type': 'application/json' }) },
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
