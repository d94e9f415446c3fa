import { readdirSync } from 'node:fs'
import { within } from '@gatehouse-access/testkit'
import { expect, test, vi } from 'vitest'
import { makeInstallation } from './installation.ts'

const never = 3_600_000

test('a full file of the log is archived at once, not when it is time', within(60), async () => {
  await using house = await makeInstallation()
  const backups = { archive: never, glance: 50, look: never, drills: false }
  await using server = await house.start({ backups })
  const files = () => readdirSync(house.backups, { recursive: true, encoding: 'utf8' })
  const pieces = () => files().filter(path => path.startsWith('wal/') && !path.endsWith('.partial')).length
  await vi.waitFor(() => expect(pieces()).toBeGreaterThan(0), { timeout: 20_000, interval: 20 })
  const before = pieces()
  await server.context.db.query("SELECT pg_logical_emit_message(false, 'test', repeat('x', 17000000), true)")
  await vi.waitFor(() => expect(pieces()).toBeGreaterThan(before), { timeout: 20_000, interval: 20 })
})
