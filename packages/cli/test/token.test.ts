import { createClient } from '@gatehouse-access/sdk'
import { createApplication, installApplication } from '@gatehouse-access/server'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from './gatehouse.ts'

test('a token works, for the oldest organization and with all rights unless told otherwise', async () => {
  await using w = await world()
  const [first, second] = [await w.tenant('First'), await w.tenant('Second')]
  const env = { DATABASE_URL: w.database_url, GATEHOUSE_PUBLIC_URL: w.url }
  const use = (token: string) => createClient({ base_url: `${w.url}/v2`, token: token.trim() })

  const { stdout } = await gatehouse(['token', '--check'], env)
  expect((await use(stdout).organization.get()).name).toBe('First')
  await use(stdout).members.create()

  const args = ['token', '--organization', second.organization_id, '--scope', 'full_read_only', '--json']
  const answer = JSON.parse((await gatehouse(args, env)).stdout)
  expect(answer).toMatchObject({
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'full_read_only',
    organization_id: second.organization_id,
    oauth_application_id: second.oauth_application_id,
  })
  await expect(use(answer.access_token).members.create()).rejects.toMatchObject({ status: 403 })
  expect((await use(answer.access_token).organization.get()).id).toBe(second.organization_id)

  const foreign = [
    'token',
    '--organization',
    second.organization_id,
    '--application',
    first.oauth_application_id,
  ]
  const refused = await gatehouse(foreign, env)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`has not installed the application ${first.oauth_application_id}`)
})

test('a token never has more rights than its application', async () => {
  await using w = await world()
  const { organization_id } = await w.tenant()
  const { context } = w.server
  const reader = await createApplication(context, context.db, 'Reader')
  await installApplication(context, context.db, organization_id, reader, ['full_read_only'])
  const env = { DATABASE_URL: w.database_url }
  const args = ['token', '--application', reader]
  expect(JSON.parse((await gatehouse([...args, '--json'], env)).stdout).scope).toBe('full_read_only')
  const { code, stderr } = await gatehouse([...args, '--scope', 'full_read_write'], env)
  expect([code, stderr]).toEqual([
    1,
    `The scope "full_read_write" is not available: ${reader} can have full_read_only.\n`,
  ])
})

test('organizations and applications are listed', async () => {
  await using w = await world()
  const { organization_id, oauth_application_id } = await w.tenant('Hotel')
  const env = { DATABASE_URL: w.database_url }
  expect((await gatehouse(['organizations'], env)).stdout).toBe(
    `ID${' '.repeat(24)}NAME\n${organization_id}  Hotel\n`,
  )
  expect(JSON.parse((await gatehouse(['applications', '--json'], env)).stdout)).toEqual([
    {
      oauth_application_id,
      name: 'Hotel integration',
      organization_id,
      scopes: ['full_read_write', 'offline'],
    },
  ])
  expect((await gatehouse(['applications'], env)).stdout).toContain('full_read_write offline')
})
