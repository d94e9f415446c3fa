import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from './gatehouse.ts'

test('an upgrade is tried on a copy of the schema, which leaves no trace', async () => {
  await using w = await world()
  const { db, config } = w.server.context
  const env = { DATABASE_URL: w.database_url, GATEHOUSE_SECRET_KEY: config.secret_keys[0].toString('base64') }
  const check = () => gatehouse(['upgrade', '--check'], env)
  expect(await check()).toMatchObject({ code: 0, stdout: 'This version brings no migrations.\n' })

  await db.query(`DELETE FROM schema_migrations WHERE name = '102-certificates.sql'`)
  await db.query('DROP TABLE certificates, acme_accounts, acme_challenges')
  await db.query('ALTER TABLE tags ADD COLUMN colour text')
  const { code, stdout, stderr } = await check()
  expect([stderr, code]).toEqual(['', 0])
  expect(stdout.split('\n')).toEqual([
    'This version brings 1 migrations: 102-certificates.sql.',
    'Unlike after its migrations, the database has tags.colour text.',
    'They work on a copy of the schema.',
    '',
  ])
  const schemas = await db.query(`SELECT 1 FROM pg_namespace WHERE nspname LIKE 'gatehouse%'`)
  const tables = await db.query(`SELECT 1 FROM pg_class WHERE relname = 'certificates'`)
  expect([schemas.length, tables.length]).toEqual([0, 0])

  await db.query(`INSERT INTO schema_migrations (name, applied_at) VALUES ('999-later.sql', now())`)
  expect(await check()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('999-later.sql is unknown'),
  })
  expect((await gatehouse(['upgrade'], env)).code).toBe(2)
})
