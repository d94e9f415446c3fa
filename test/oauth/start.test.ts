import { findFreePort, makeDataFolder, startService } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { Visitor } from './visitor.ts'

test('the demo sign-in and the guest link that the start prints work', async () => {
  await using folder = await makeDataFolder()
  const port = await findFreePort()
  const env = { GATEHOUSE_DATA_DIR: folder.path, GATEHOUSE_DEMO: 'true' }
  await using service = await startService({ port, env })
  const [, email = '', secret = ''] = /Demo sign-in +(\S+) +password (\S+)/.exec(service.stdout()) ?? []
  const visitor = await new Visitor(`http://localhost:${port}`).signIn(email, secret)
  expect([visitor.status, visitor.headers.get('location')]).toEqual([303, '/account'])
  await visitor.follow()
  expect(visitor.text).toContain('Hotel Miramar')
  expect(service.stdout()).toContain(`http://localhost:${port}/sign-in`)
  expect(service.stdout()).toContain('Backups      none: set GATEHOUSE_BACKUP_DIR')
  const [, link = ''] = /Guest page +\S+#(mml_\S+)/.exec(service.stdout()) ?? []
  const entered = await fetch(`http://localhost:${port}/member/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ magic_link: link }),
  })
  expect(entered.status).toBe(200)
  const { home } = (await entered.json()) as { home: { gadgets: { name: string }[] } }
  expect(home.gadgets.map(({ name }) => name)).toEqual(['Front door', 'Lift', 'Lounge', 'Pool'])
  expect((await fetch(`http://localhost:${port}/guest`)).status).toBe(200)
})

test('no request leaves its token, its cookie or its link in the log', async () => {
  await using folder = await makeDataFolder()
  const env = { GATEHOUSE_DATA_DIR: folder.path, GATEHOUSE_LOG_LEVEL: 'trace' }
  await using service = await startService({ port: await findFreePort(), env })
  const headers = { authorization: 'Bearer gha_token-of-the-log', cookie: 'session=cookie-of-the-log' }
  for (const path of [
    '/v2/sites',
    '/v2/nothing',
    '/v2/sites?q=%00',
    '/account/session',
    '/sign-in',
    '/nowhere',
  ])
    await fetch(service.url + path, { headers })
  await fetch(`${service.url}/member/v1/sessions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ magic_link: `mml_${'0'.repeat(20)}_${'x'.repeat(32)}-of-the-log` }),
  })
  const { stdout, stderr } = await service.terminate()
  expect(stdout).toContain('Gatehouse is running')
  expect(stdout + stderr).not.toMatch(/-of-the-log/)
})
