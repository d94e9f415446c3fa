import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpoints } from '@gatehouse-access/api'
import { verifyAudit } from '@gatehouse-access/server'
import type { Tenant, World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { authorize, codeOf, exchange, found, password, refresh, register, signUp } from '../oauth/people.ts'
import { Visitor } from '../oauth/visitor.ts'
import { type House, makeHouse, newPin, tryDoors } from './house.ts'
import { clientAt, Installation } from './installation.ts'

const owned = new AsyncDisposableStack()
let there: Installation
let tenant: Tenant
let house: House
let backup: string
let before: Awaited<ReturnType<typeof enter>>
const email = 'owner@example.com'

/** After the backup, a member is deleted and the PIN of another replaced. */
beforeAll(async () => {
  there = owned.use(await Installation.open({ is_reachable: true }))
  const w = await there.start()
  tenant = await w.tenant()
  house = await makeHouse(tenant.client)
  before = await enter(w)
  await tenant.client.devices.simulate(house.offline, { network: 'offline' })
  await there.stop()
  backup = await there.copy()
  const client = await clientAt(await there.start(), tenant)
  await client.members.delete(house.mary)
  await client.member_pins.delete(house.paul, house.pin)
  await client.member_pins.create(house.paul, { pin: newPin })
  await there.stop()
})
afterAll(() => owned.disposeAsync())

/** Everything that lets somebody in without a password: a session, an access token, a refresh token. */
async function enter(w: World) {
  const owner = await signUp(w, email)
  const organization_id = await found(owner)
  const client = await register(owner)
  const code = codeOf(await authorize(owner, { ...client, organization_id }))
  const { access_token, refresh_token = '' } = (await exchange(w.url, client, code)).body
  return { owner, client, access_token, refresh_token }
}

async function setBack(): Promise<void> {
  there.setBack(backup)
  there.setBack(await there.copy())
}

const denied = {
  api_card: 'member_deleted',
  api_pin: 'credential_deleted',
  online_card: 'unknown_credential',
  online_pin: 'unknown_credential',
  offline_card: 'unknown_credential',
  offline_pin: 'unknown_credential',
}
const open = Object.fromEntries(Object.keys(denied).map(name => [name, 'use']))

async function ready(w: World) {
  const answer = await fetch(`${w.url}/readyz`)
  return { status: answer.status, recovered: ((await answer.json()) as { recovered?: boolean }).recovered }
}

/** Returns the statuses that the session, the access token and the refresh token of before get. */
async function tryOldAccess(w: World): Promise<number[]> {
  const cookie = [...before.owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const session = await fetch(`${w.url}/account/session`, { headers: { cookie } })
  const authorization = `Bearer ${before.access_token}`
  const token = await fetch(`${w.url}/v2/members`, { headers: { authorization } })
  return [session.status, token.status, (await refresh(w.url, before.client, before.refresh_token)).status]
}

const refusal = { type: 'unavailable', args: { reason: 'recovered' } }

/** Asks for everything that the API can change. The order of checks lets any id do. */
async function refuseAllChanges(w: World, token: string): Promise<void> {
  const writes = endpoints.filter(({ id, scope }) => scope === 'write' && id !== 'device.simulate')
  const answers = await Promise.all(
    writes.map(async ({ id, method, path }) => {
      const answer = await fetch(`${w.url}/v2${path.replace(/\{\w+\}/g, 'any')}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method !== 'DELETE' && { body: '{}' }),
      })
      return [id, answer.status, await answer.json()]
    }),
  )
  expect(answers).toMatchObject(writes.map(({ id }) => [id, 503, refusal]))
  const guest = await fetch(`${w.url}/member/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ magic_link: `mml_${'0'.repeat(20)}_${'a'.repeat(43)}` }),
  })
  expect([guest.status, await guest.json()]).toMatchObject([503, refusal])
}

test('control: a database that is only put back, or without its ledger, opens to all of them again', async () => {
  await setBack()
  const w = await there.start({ jobs: false })
  expect(await tryDoors(await clientAt(w, tenant), house)).toEqual(open)
  expect(await tryOldAccess(w)).toEqual([200, 200, 200])
  await there.stop()

  await setBack()
  const elsewhere = ['--ledger', join(there.folder, 'nowhere')]
  const asked = await gatehouse(['restore', 'mark', ...elsewhere], there.env)
  expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('--without-ledger')])
  expect((await gatehouse(['restore', 'review'], there.env)).stdout).toContain('No restore waits')
  const marked = await gatehouse(['restore', 'mark', '--without-ledger'], there.env)
  expect(marked).toMatchObject({ code: 0, stderr: '' })
  const without = await there.start({ jobs: false })
  expect(await tryDoors(await clientAt(without, tenant), house)).toEqual(open)
  expect(await tryOldAccess(without)).toEqual([401, 401, 400])
  const said = (await gatehouse(['restore', 'review'], there.env)).stdout
  expect(said).toContain('There was no ledger')
  await there.stop()
})

test('what was revoked after the backup opens nothing, before and after the confirmation', async () => {
  await setBack()
  const target = '2026-11-16T09:00:00.000Z'
  const marked = await gatehouse(['restore', 'mark', '--target', target, '--by', 'Ada'], there.env)
  expect(marked).toMatchObject({ code: 0, stderr: '' })
  const w = await there.start()
  const { code, stdout } = await gatehouse(['token', '--organization', tenant.organization_id], there.env)
  expect(code).toBe(0)
  const client = await clientAt(w, tenant)
  expect(await tryDoors(client, house)).toEqual(denied)
  expect(await tryOldAccess(w)).toEqual([401, 401, 400])
  expect(await ready(w)).toEqual({ status: 503, recovered: true })

  expect((await client.members.list({})).data.length).toBe(1)

  await refuseAllChanges(w, stdout.trim())

  const visitor = new Visitor(w.server.context.config.public_url)
  await visitor.signIn(email, password)
  expect((await visitor.account<{ recovered: boolean }>('GET', '/account/session')).body.recovered).toBe(true)
  expect(await visitor.account('PATCH', '/account/user', { name: 'Eve' })).toMatchObject({ status: 503 })
  expect((await visitor.get('/security')).text).toContain('restored from a backup')

  const review = (await gatehouse(['restore', 'review'], there.env)).stdout
  expect(review).toContain(`Restored to 2026-11-16T09:00:00.000000Z from own tools, by Ada`)
  expect(review).toContain('1 member and 1 PIN were deleted or changed after the backup')
  const json = JSON.parse((await gatehouse(['restore', 'review', '--json'], there.env)).stdout)
  expect(json).toMatchObject({
    recovered: true,
    revoked: [
      { id: house.mary, name: 'Mary', how: 'deleted', is_suspended_by_restore: true },
      { id: house.pin, name: 'Paul', how: 'deleted', is_suspended_by_restore: true },
    ],
  })

  const confirmed = await gatehouse(['restore', 'confirm', '--by', 'Grace'], there.env)
  expect(confirmed).toMatchObject({ code: 0, stdout: expect.stringContaining('Kept 0, deleted 2') })
  await expect.poll(() => ready(w)).toEqual({ status: 200, recovered: undefined })
  expect(await tryDoors(client, house)).toEqual(denied)
  await client.members.create({ name: 'New' })
  expect(await gatehouse(['restore', 'confirm'], there.env)).toMatchObject({ code: 1 })

  const { data } = await client.events.list({ 'object.type': 'organization' } as never)
  expect(data.slice(0, 2).map(({ object }) => object)).toMatchObject([
    { reason: 'restore_confirmed', restored_by: 'Grace', restored_to: '2026-11-16T09:00:00.000000Z' },
    { reason: 'restored_from_backup', restored_by: 'Ada', restored_to: '2026-11-16T09:00:00.000000Z' },
  ])
  const deletions = await client.events.list({ verb: 'delete' })
  expect(deletions.data.map(({ object }) => object.type).sort()).toEqual(['member', 'member_pin'])
  await there.stop()
})

test('the audit chain goes on after the restore, from a link that states it', async () => {
  const w = await there.start()
  const { secret_keys } = w.server.context.config
  const verify = () => verifyAudit(w.server.context.db, { secret_keys, anchors: [there.folder] })
  await expect.poll(async () => (await verify()).breaks).toEqual([])
  const rows = await w.server.context.db.query<{ document: string }>('SELECT document FROM audit_checkpoints')
  const restored = rows.flatMap(({ document }) => JSON.parse(document.split('\n')[0] ?? '').restored ?? [])
  expect(restored).toMatchObject([
    { by: 'Grace', target: '2026-11-16T09:00:00.000000Z', backup_id: 'own tools' },
  ])
  await there.stop()
})

test('a ledger that was tampered with is refused, and nothing changes', async () => {
  await setBack()
  await writeFile(join(there.folder, 'ledger.txt'), '{"revoked":[]}\nsigned\n')
  const { code, stderr } = await gatehouse(['restore', 'mark'], there.env)
  expect([code, stderr]).toEqual([1, expect.stringContaining('is damaged')])
  const w = await there.start({ jobs: false })
  expect(await ready(w)).toEqual({ status: 200, recovered: undefined })
})
