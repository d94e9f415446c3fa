import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { signUp } from '../../../test/oauth/people.ts'
import { gatehouse } from './gatehouse.ts'

test('the operator lists users, ends sessions of one or of all, and resets lost factors', async () => {
  await using w = await world({ is_reachable: true })
  const [ada, bob] = [await signUp(w, 'ada@example.com'), await signUp(w, 'bob@example.com')]
  const env = { DATABASE_URL: w.database_url }
  const listed = JSON.parse((await gatehouse(['users', 'list', '--json'], env)).stdout)
  expect(listed.map(({ email, sessions }: Record<string, unknown>) => [email, sessions])).toEqual([
    ['ada@example.com', 1],
    ['bob@example.com', 1],
  ])
  const one = await gatehouse(['users', 'sign-out', 'Ada@example.com'], env)
  expect(one.stdout).toBe('1 session was ended.\n')
  await expect.poll(async () => (await ada.account('GET', '/account/session')).status).toBe(401)
  expect((await bob.account('GET', '/account/session')).status).toBe(200)
  await w.server.context.db.query(
    `INSERT INTO totp_keys (user_id, secret, created_at, confirmed_at) SELECT id, '\\x00', now(), now() FROM users WHERE email = 'bob@example.com'`,
  )
  expect((await gatehouse(['users', 'list'], env)).stdout).toMatch(/bob@example.com +1 +yes/)
  expect((await gatehouse(['users', 'reset-factors', 'bob@example.com'], env)).code).toBe(0)
  expect((await gatehouse(['users', 'list'], env)).stdout).toMatch(/bob@example.com +0 +no/)
  expect((await gatehouse(['users', 'sign-out', '--all'], env)).stdout).toBe('0 sessions were ended.\n')
})

test('wrong calls change nothing', async () => {
  await using w = await world({ is_reachable: true })
  const ada = await signUp(w, 'ada@example.com')
  const env = { DATABASE_URL: w.database_url }
  expect((await gatehouse(['users', 'sign-out'], env)).code).not.toBe(0)
  expect((await gatehouse(['users', 'sign-out', 'ada@example.com', '--all'], env)).code).not.toBe(0)
  const unknown = await gatehouse(['users', 'sign-out', 'x@example.com'], env)
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'There is no user x@example.com: gatehouse users list lists them.\n',
  ])
  expect((await ada.account('GET', '/account/session')).status).toBe(200)
})
