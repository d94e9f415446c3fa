import { noPrivacy } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendInvitations } from '../../packages/server/src/services/guests/invitations.ts'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { workUntil } from './erase.ts'
import { findWord } from './find-words.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ delivery: true }))
  owned.use(new JobRunner(w.server.context, jobTypes))
  tenant = await w.tenant('Casa Azul')
})
afterAll(() => owned.disposeAsync())

async function offer(member_export: boolean): Promise<void> {
  await w.server.context.db.query('UPDATE organizations SET privacy = $2 WHERE id = $1', [
    tenant.organization_id,
    { ...noPrivacy, member_export },
  ])
}

interface State {
  readonly state: string | null
  readonly next_at: string | null
  readonly files: { readonly name: string }[]
}

/** A member with a phone. */
async function guest(name: string) {
  const { client } = tenant
  const member = await client.members.create({ name, language: 'es' })
  await client.member_emails.create(member.id, { email: `${name}@example.com`.toLowerCase() })
  const { token } = await client.member_tokens.create(member.id, {})
  const ask = async (method: string, path: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = method === 'POST' ? '{}' : null
    return fetch(`${w.url}/member/v1${path}`, { method, headers, body })
  }
  const state = async () => (await (await ask('GET', '/data_export')).json()) as State
  const request = () => ask('POST', '/data_export')
  const ready = () => expect.poll(async () => (await state()).state).toBe('ready')
  return { id: member.id, ask, state, request, ready }
}

test('a member fetches what is held about them, once a day, if the organization offers it', async () => {
  const xochitl = await guest('Xochitl')
  expect(await (await xochitl.ask('GET', '/home')).json()).toMatchObject({ offers_data_export: false })
  for (const refused of [await xochitl.request(), await xochitl.ask('GET', '/data_export')])
    expect({ status: refused.status, ...(await refused.json()) }).toMatchObject({
      status: 403,
      args: { reason: 'member_export_off' },
    })
  await offer(true)
  expect(await (await xochitl.ask('GET', '/home')).json()).toMatchObject({ offers_data_export: true })
  expect(await xochitl.state()).toMatchObject({ state: null, files: [], next_at: null })
  // Of two at once, one is the second of the day.
  const answers = await Promise.all([xochitl.request(), xochitl.request()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429])
  await xochitl.ready()
  const { files, next_at } = await xochitl.state()
  expect(files.map(({ name }) => name)).toEqual(['member-data.json', 'member-data.html'])
  expect(next_at).not.toBeNull()
  const file = await xochitl.ask('GET', '/data_export/files/member-data.json')
  expect(file.headers.get('content-disposition')).toContain('member-data.json')
  const data = (await file.json()) as { member: { name: string } }
  expect(data.member.name).toBe('Xochitl')
  expect((await xochitl.ask('GET', '/data_export/files/other.json')).status).toBe(404)
  const revealed = await tenant.client.events.list({ 'object.member_id': xochitl.id, verb: 'reveal' })
  expect(revealed.data).toMatchObject([{ subject: { member_id: xochitl.id }, object: { type: 'member' } }])

  await sendInvitations(w.server.context)
  const sent = w.server.context.mailer.outbox?.filter(({ to }) => to === 'xochitl@example.com') ?? []
  expect(sent).toMatchObject([{ kind: 'guest_data_export', subject: 'Tus datos en «Casa Azul»' }])
  expect(sent[0]?.text).toContain('/guest')

  const quetzal = await guest('Quetzal')
  expect((await quetzal.ask('GET', '/data_export/files/member-data.json')).status).toBe(404)
  expect((await fetch(`${w.url}/member/v1/data_export`)).status).toBe(401)
  w.clock.advance(86_400)
  expect((await xochitl.request()).status).toBe(200)
  await xochitl.ready()
})

test('what a member asked for ends with the offer, and is erased with the member', async () => {
  await offer(true)
  const erased = await guest('Itzel')
  expect((await erased.request()).status).toBe(200)
  await erased.ready()
  const begun = await tenant.client.members.erase(erased.id)
  await workUntil(w, tenant.client, begun.id, 'done')
  const found = await findWord(w.server.context.db, erased.id)
  expect(Object.keys(found).filter(table => !/^(events|ledger)_/.test(table))).toEqual([
    'erasures',
    'members',
  ])
  await offer(false)
})
