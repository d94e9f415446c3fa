import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@gatehouse-access/sdk'
import {
  createApplication,
  createOrganization,
  installApplication,
  issueAccessToken,
  readConfig,
  startServer,
} from '@gatehouse-access/server'
import { makeDataFolder, soak, within, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse, gatehouseProcess } from './gatehouse.ts'

async function makeSecrets(client: Client) {
  const { id } = await client.members.create()
  const pin = await client.member_pins.create(id, { pin: '8305127' }, { idempotency_key: 'first' })
  const link = await client.member_magic_links.create(id)
  const webhook = await client.webhooks.create({ url: 'https://example.com/hook' })
  return { id, pin, link, webhook }
}

async function proveSecrets(client: Client, { id, pin, link }: Awaited<ReturnType<typeof makeSecrets>>) {
  expect(await client.member_pins.reveal(id, pin.id)).toEqual(pin)
  expect(await client.member_magic_links.reveal(id, link.id)).toEqual(link)
  const repeated = await client.member_pins.create(id, { pin: '8305127' }, { idempotency_key: 'first' })
  expect(repeated).toEqual(pin)
  const again = client.member_pins.create(id, { pin: '8305127' })
  await expect(again).rejects.toMatchObject({ status: 400, args: { field: 'pin' } })
}

test('with keys from the environment, everything moves to the first', async () => {
  await using w = await world()
  const { token } = await w.tenant()
  const secrets = await makeSecrets(createClient({ base_url: `${w.url}/v2`, token }))
  const { config } = w.server.context
  const [old, stranger] = [config.secret_keys[0] as Buffer, randomBytes(32)]
  const rotate = (...keys: Buffer[]) =>
    gatehouse(['keys', 'rotate'], {
      DATABASE_URL: w.database_url,
      GATEHOUSE_SECRET_KEY: keys.map(key => key.toString('base64')).join(','),
    })

  const made = /\n([A-Za-z0-9+/]{43}=)\n$/.exec((await rotate(old)).stdout)?.[1] ?? ''
  const fresh = Buffer.from(made, 'base64')
  // A PIN, a link, a webhook, and the stored responses to the four requests.
  const lost = await rotate(stranger)
  expect(lost).toMatchObject({ code: 1, stdout: '' })
  expect(lost.stderr).toBe('7 secrets need an older key: add it after the first in GATEHOUSE_SECRET_KEY.\n')
  expect(await rotate(stranger, old)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is new to this database'),
  })
  expect((await rotate(fresh, old)).stdout).toContain('Re-encrypted 7 secrets with the newest key.\n')
  expect((await rotate(fresh, old)).stdout).toContain('\nRe-encrypted 0 secrets with the newest key.\n')
  await using server = await startServer({ ...config, secret_keys: [fresh] }, { jobs: false })
  await proveSecrets(createClient({ base_url: `${server.url}/v2`, token }), secrets)
  const [row] = await w.server.context.db.query<{ held: Uint8Array }>(
    'SELECT secret_ciphertext AS held FROM webhooks',
  )
  expect(server.context.vault.decrypt(row?.held as Uint8Array, `webhook ${secrets.webhook.id}`)).toBe(
    secrets.webhook.secret,
  )
})

test('a PIN that two members came to hold is named and left alone', async () => {
  await using w = await world()
  const { token, organization_id } = await w.tenant()
  const client = createClient({ base_url: `${w.url}/v2`, token })
  const { pin } = await makeSecrets(client)
  const { config } = w.server.context
  const fresh = randomBytes(32)
  const announced = await startServer(
    { ...config, secret_keys: [...config.secret_keys, fresh] },
    { jobs: false },
  )
  await announced[Symbol.asyncDispose]()
  const secret_keys = [fresh, ...config.secret_keys] as const
  await using server = await startServer({ ...config, secret_keys }, { jobs: false })
  const { vault, db } = server.context
  const { id } = await client.members.create()
  const twin = await client.member_pins.create(id, { pin: '8305128' })
  await db.query('UPDATE member_pins SET pin_ciphertext = $2, pin_hash = $3 WHERE id = $1', [
    twin.id,
    vault.encrypt('8305127', `member_pin ${twin.id}`),
    vault.digests('8305127', `pin ${organization_id}`)[0],
  ])
  const keys = secret_keys.map(key => key.toString('base64')).join(',')
  const env = { DATABASE_URL: w.database_url, GATEHOUSE_SECRET_KEY: keys }
  const { code, stderr } = await gatehouse(['keys', 'rotate'], env)
  expect([code, stderr]).toEqual([
    1,
    `These PINs also belong to another member: ${pin.id}. Delete one of each pair and run this again.\n`,
  ])
})

soak('with the embedded database, step by step and while it is stopped', within(60), async () => {
  await using folder = await makeDataFolder()
  await rotateEmbedded(folder.path)
})

async function rotateEmbedded(data_dir: string): Promise<void> {
  const env = {
    GATEHOUSE_DATA_DIR: data_dir,
    GATEHOUSE_DEMO: 'false',
    GATEHOUSE_LOG_LEVEL: 'error',
    PORT: '0',
  }
  const start = () => startServer(readConfig(env), { jobs: false })
  const rotate = () => gatehouseProcess(['keys', 'rotate'], env)
  const keys = async () => (await readFile(join(data_dir, 'secret-key'), 'utf8')).trim().split('\n')

  let server = await start()
  const token = await makeToken(server.context)
  const client = () => createClient({ base_url: `${server.url}/v2`, token })
  const secrets = await makeSecrets(client())
  const [oldest] = await keys()

  expect((await rotate()).stdout).toContain('restart it, then run gatehouse keys rotate again')
  expect((await keys())[1]).toBe(oldest)
  expect((await rotate()).stdout).toMatch(/^The service is still running with only the old key/)
  await proveSecrets(client(), secrets)

  await server[Symbol.asyncDispose]()
  server = await start()
  expect((await rotate()).stdout).toContain('secrets with the newest key.\n')
  expect(await keys()).toHaveLength(1)
  expect((await stat(join(data_dir, 'secret-key.retired'))).mode & 0o777).toBe(0o600)
  await proveSecrets(client(), secrets)

  await server[Symbol.asyncDispose]()
  expect((await rotate()).stdout).toContain('secrets with the newest key.\n')
  server = await start()
  await proveSecrets(client(), secrets)
  await server[Symbol.asyncDispose]()
  expect(await readFile(join(data_dir, 'secret-key.retired'), 'utf8')).toContain(oldest)
}

async function makeToken(context: Awaited<ReturnType<typeof startServer>>['context']): Promise<string> {
  const organization_id = await createOrganization(context, context.db, 'Hotel')
  const oauth_application_id = await createApplication(context, context.db, 'Integration')
  const scopes = ['full_read_write']
  await installApplication(context, context.db, organization_id, oauth_application_id, scopes)
  return issueAccessToken(context, { organization_id, oauth_application_id, scopes })
}
