import { world } from '@gatehouse-access/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { gatehouse } from './gatehouse.ts'

afterEach(() => void vi.useRealTimers())

test('access ends now by the clock of the service, also from a machine that is ten minutes ahead', async () => {
  await using w = await world()
  const { client } = await w.tenant('Office')
  const { id } = await client.members.create({ name: 'Ana' })
  const soon = Date.now() + 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  const args = ['members', 'end', 'Ana', '--json', '--url', w.url]
  const { stdout } = await gatehouse(args, { DATABASE_URL: w.database_url })
  expect(JSON.parse(stdout).id).toBe(id)
  expect(Date.parse(JSON.parse(stdout).ends_at)).toBeLessThan(soon)
})
