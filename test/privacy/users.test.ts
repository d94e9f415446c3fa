import { cleanUp } from '@gatehouse-access/server'
import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { found, password, signUp } from '../oauth/people.ts'
import { openStage } from '../oauth/stage.ts'
import { findWord } from './find-words.ts'
import { asUser } from './owner.ts'

let w: World
beforeAll(async () => {
  w = (await openStage()).w
})
afterAll(() => w[Symbol.asyncDispose]())

test('of a deleted account nothing is left but its id, which events still name', async () => {
  const { db, mailer } = w.server.context
  const owner = await signUp(w, 'keeper@example.com')
  const organization_id = await found(owner)
  const visitor = await signUp(w, 'quetzal@example.com', 'Xiuhcoatl')
  const { body } = await visitor.account<{ user: { id: string } }>('GET', '/account/session')
  const { id } = body.user
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, {
    email: 'quetzal@example.com',
    role: 'administrator',
  })
  const { body: invited } = await visitor.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await visitor.account('POST', `/account/invitations/${invited.data[0]?.id}/accept`)
  expect((await asUser(visitor, organization_id)('POST', '/members', {})).status).toBe(200)

  // A wrong password and a request for a new one leave traces too.
  await visitor.get('/reset-password')
  await visitor.submit('/reset-password', { email: 'quetzal@example.com' })
  expect(Object.keys(await findWord(db, 'quetzal')).length).toBeGreaterThan(2)
  await visitor.signIn('quetzal@example.com', password)

  expect((await visitor.account('DELETE', '/account/user', { password })).status).toBeLessThan(300)
  expect(await findWord(db, 'xiuhcoatl')).toEqual({})
  expect(await findWord(db, 'quetzal')).not.toHaveProperty('mail_codes')
  // How many mails an address got is known for an hour.
  w.clock.advance(3601)
  await cleanUp(w.server.context)
  expect(Object.keys(await findWord(db, 'quetzal'))).toEqual([expect.stringMatching(/^events_/)])
  expect(
    await db.query("SELECT DISTINCT object->>'type' AS type FROM events WHERE object::text LIKE '%quetzal%'"),
  ).toEqual([{ type: 'invitation' }])
  const [user] = await db.query('SELECT * FROM users WHERE id = $1', [id])
  expect(user).toMatchObject({ name: null, password_hash: null, language: null })
  const { body: acted } = await asUser(owner, organization_id)<{ data: object[] }>(
    'GET',
    `/events?subject.user_id=${id}`,
  )
  expect(acted.data.length).toBeGreaterThan(0)
  expect(mailer.outbox?.some(({ to }) => to === 'quetzal@example.com')).toBe(true)
})
