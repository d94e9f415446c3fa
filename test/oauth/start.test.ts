import { findFreePort, makeDataFolder, startService } from '@gatehouse/testkit'
import { expect, test } from 'vitest'
import { Visitor } from './visitor.ts'

test('the demo sign-in that the start prints works at the sign-in page', async () => {
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
})
