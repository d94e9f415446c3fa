import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from './gatehouse.ts'

interface Entry {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly advice?: string
}

const everything = [
  ...['port', 'plain_port', 'public_address', 'certificate', 'proxy_headers', 'clock', 'disk', 'database'],
  ...[
    'durability',
    'schema',
    'oldest_transaction',
    'feed',
    'time_zones',
    'key',
    'backup',
    'drill',
    'mail',
    'push',
  ],
]

async function examine(
  env: Record<string, string>,
): Promise<{ code: number | null; entries: Map<string, Entry> }> {
  const { code, stdout } = await gatehouse(['doctor', '--json'], env)
  const { checks }: { checks: Entry[] } = JSON.parse(stdout)
  expect(checks.map(({ id }) => id)).toEqual(everything)
  for (const { status, advice } of checks)
    expect(advice !== undefined).toBe(status === 'warning' || status === 'failure')
  return { code, entries: new Map(checks.map(entry => [entry.id, entry])) }
}

test('the doctor examines a running installation, and says what is wrong and what to do', async () => {
  await using w = await world()
  const { secret_keys } = w.server.context.config
  const env = {
    DATABASE_URL: w.database_url,
    PORT: new URL(w.url).port,
    GATEHOUSE_SECRET_KEY: secret_keys[0].toString('base64'),
    GATEHOUSE_DATA_DIR: '/tmp',
  }
  const { code, entries } = await examine(env)
  for (const id of ['port', 'database', 'schema', 'feed', 'key', 'oldest_transaction'])
    expect([id, entries.get(id)?.status]).toEqual([id, 'ok'])
  expect(entries.get('backup')).toMatchObject({ status: 'warning', message: 'No backup folder is set.' })
  // The tests' database is fast instead of durable.
  expect(entries.get('durability')).toMatchObject({
    status: 'failure',
    message: expect.stringContaining('fsync'),
  })
  expect(code).toBe(2)

  const wrong = { ...env, GATEHOUSE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  const again = await examine({ ...wrong, GATEHOUSE_PUBLIC_URL: 'https://nowhere.invalid', PORT: '9' })
  expect(again.entries.get('key')).toMatchObject({ status: 'failure' })
  expect(again.entries.get('port')).toMatchObject({ status: 'failure' })
  expect(again.entries.get('certificate')).toMatchObject({ status: 'failure' })
  expect(again.entries.get('public_address')?.message).toContain('nowhere.invalid does not resolve')
  expect(again.entries.get('proxy_headers')).toMatchObject({ status: 'warning' })
})

test('the doctor examines what it can without a database, for people', async () => {
  const { code, stdout } = await gatehouse(['doctor'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
    GATEHOUSE_DATA_DIR: '/tmp',
    PORT: '9',
    GATEHOUSE_SMTP_URL: 'smtp://127.0.0.1:9',
  })
  expect(code).toBe(2)
  expect(stdout).toMatch(/failure\s+database\s+The database of DATABASE_URL cannot be reached\./)
  expect(stdout).toMatch(/failure\s+mail\s+The mail server refuses: .*ECONNREFUSED/)
  expect(stdout).toMatch(/skipped\s+key/)
})
