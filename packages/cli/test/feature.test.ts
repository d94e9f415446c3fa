import { createClient } from '@gatehouse-access/sdk'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from './gatehouse.ts'

test('a feature is switched, with one event', async () => {
  await using w = await world()
  const { organization_id, token } = await w.tenant('Hotel')
  const client = createClient({ base_url: `${w.url}/v2`, token })
  const env = { DATABASE_URL: w.database_url }
  const off = ['feature', organization_id, 'whitelabel', 'off']
  expect((await gatehouse(off, env)).stdout).toBe('whitelabel is now off for Hotel.\n')
  expect((await gatehouse(off, env)).stdout).toBe('whitelabel is already off for Hotel.\n')
  expect((await client.organization.get()).features).toEqual({ whitelabel: false })
  const { data } = await client.events.list({ 'object.type': 'organization', verb: 'edit' })
  expect(data.map(({ object }) => object.organization_id)).toEqual([organization_id])
  const unknown = await gatehouse(['feature', 'org_x', 'whitelabel', 'on'], env)
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'There is no organization org_x: gatehouse organizations lists them.\n',
  ])
})

test('migrating twice changes nothing', async () => {
  await using w = await world()
  const { stdout } = await gatehouse(['migrate'], { DATABASE_URL: w.database_url })
  expect(stdout).toBe('The schema is up to date.\n')
})
