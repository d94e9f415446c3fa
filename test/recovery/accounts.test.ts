import { createApplication, installApplication, reviewRestore } from '@gatehouse-access/server'
import type { World } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { addController } from '../devices/building.ts'
import { type DeviceOptions, ScriptedDevice } from '../devices/scripted-device.ts'
import { found, signUp } from '../oauth/people.ts'
import { Visitor } from '../oauth/visitor.ts'
import { clientAt, Installation } from './installation.ts'

/** The same browser, after the service was started at another address. */
function movedTo(w: World, { cookies }: Visitor): Visitor {
  const moved = new Visitor(w.server.context.config.public_url)
  for (const [name, value] of cookies) moved.cookies.set(name, value)
  return moved
}

async function canConnect(w: World, credentials: DeviceOptions): Promise<boolean> {
  const device = await ScriptedDevice.connect({ ...credentials, url: w.url }).catch(() => undefined)
  await device?.close()
  return device !== undefined
}

test('users who left, invitations that were withdrawn and secrets that were replaced do not come back', async () => {
  await using there = await Installation.open({ is_reachable: true })
  const w = await there.start()
  const [owner, friend] = [await signUp(w, 'owner@example.com'), await signUp(w, 'friend@example.com')]
  const organization_id = await found(owner)
  const users = `/account/organizations/${organization_id}`
  const invite = async (email: string) =>
    (await owner.account<{ id: string }>('POST', `${users}/invitations`, { email, role: 'owner' })).body.id
  await friend.account('POST', `/account/invitations/${await invite('friend@example.com')}/accept`)
  const invitation = await invite('stranger@example.com')
  const { context } = w.server
  const oauth_application_id = await createApplication(context, context.db, 'Integration')
  await installApplication(context, context.db, organization_id, oauth_application_id, ['full_read_write'])
  const tenant = { organization_id, oauth_application_id } as never
  const client = await clientAt(w, tenant)
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const { device, credentials } = await addController(w, { client } as never, site.id, 'Lobby')
  await there.stop()
  const backup = await there.copy()

  const after = await there.start()
  const { body } = await movedTo(after, friend).account('GET', '/account/session')
  const user_id = (body as unknown as { user: { id: string } }).user.id
  const administrator = movedTo(after, owner)
  const gone = await administrator.account('DELETE', `${users}/users/${user_id}`)
  const withdrawn = await administrator.account('DELETE', `${users}/invitations/${invitation}`)
  expect([gone.status, withdrawn.status]).toEqual([200, 200])
  await (await clientAt(after, tenant)).devices.issue_credentials(device.id)
  await there.stop()

  there.setBack(backup)
  await there.mark()
  const again = await there.start()
  const { db } = again.server.context
  const review = await reviewRestore(db)
  expect(review?.revoked.map(({ id, kind, name }) => [kind, id, name])).toEqual([
    ['user', user_id, 'friend@example.com'],
    ['invitation', invitation, 'stranger@example.com'],
    ['device_secret', device.id, 'Lobby'],
  ])
  const members = () => db.query('SELECT role FROM organization_users WHERE user_id = $1', [user_id])
  expect(await members()).toEqual([])
  expect(await db.query('SELECT 1 FROM invitations')).toEqual([])
  expect(await canConnect(again, credentials)).toBe(false)

  const kept = await gatehouse(['restore', 'confirm', '--keep', user_id, device.id], there.env)
  expect(kept).toMatchObject({ stderr: '', stdout: expect.stringContaining('Kept 2, deleted 1.') })
  expect(await members()).toEqual([{ role: 'owner' }])
  expect(await db.query('SELECT 1 FROM invitations')).toEqual([])
  await expect.poll(() => canConnect(again, credentials)).toBe(true)
})
