import { createHash } from 'node:crypto'
import { createClient } from '@gatehouse-access/sdk'
import { connect, type Database, startServer, verifyAudit } from '@gatehouse-access/server'
import { administer, type World, withDatabase, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { loadMigrations } from '../../packages/server/src/store/migration/migrations.ts'
import { type Fixture, issueToken, readFixtures, restoreFixture } from './fixture.ts'

const fixtures = await readFixtures()

/** What the schema consists of, without the partitions of the months. */
const schema = `
  SELECT format('column %s.%s %s %s %s', c.relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) AS part
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef d ON d.adrelid = attrelid AND d.adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0 AND NOT attisdropped
  UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indrelid
    WHERE relnamespace = 'public'::regnamespace AND NOT relispartition
  UNION ALL SELECT format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(o.oid)) FROM pg_constraint o JOIN pg_class c ON c.oid = conrelid
    WHERE relnamespace = 'public'::regnamespace AND NOT relispartition
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
  UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
    WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal AND NOT relispartition
  ORDER BY 1`

async function describeSchema(db: Database): Promise<string[]> {
  return (await db.query<{ part: string }>(schema)).map(({ part }) => part)
}

describe.each(fixtures.map(fixture => [fixture.version, fixture] as const))(
  'the database of %s',
  (_version, fixture) => {
    const owned = new AsyncDisposableStack()
    let w: World
    let url: string

    beforeAll(async () => {
      const { admin_url } = inject('databases')
      const name = `released_${fixture.version.replaceAll('.', '_')}`
      w = owned.use(await world())
      await administer(admin_url, `CREATE DATABASE ${name}`)
      owned.defer(() => administer(admin_url, `DROP DATABASE ${name} WITH (FORCE)`))
      url = withDatabase(admin_url, name)
      await using db = connect({ url }, 1)
      await restoreFixture(db, fixture)
    })
    afterAll(() => owned.disposeAsync())

    test('was made by migrations that nobody has edited since', async () => {
      const texts = new Map((await loadMigrations()).map(({ name, text }) => [name, text]))
      const now = Object.keys(fixture.migrations).map(name => [name, sha256(texts.get(name) ?? '')])
      expect(Object.fromEntries(now)).toEqual(fixture.migrations)
    })

    test('is upgraded at the start: same schema as a new one, everything there, secrets readable, chain whole', async () => {
      await using server = await startServer(configFor(w, fixture, url), { jobs: false })
      const { db, config } = server.context
      expect(await describeSchema(db)).toEqual(await describeSchema(w.server.context.db))
      for (const [table, rows] of [...Object.entries(fixture.tables)].filter(([name]) => kept.test(name))) {
        const [row] = await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)
        expect([table, row?.count]).toEqual([table, JSON.parse(rows).length])
      }
      const client = await clientOf(server, fixture)
      const { data: members } = await client.members.list()
      const pins = await Promise.all(members.map(({ id }) => client.member_pins.list(id)))
      const [pin] = pins.flatMap(({ data }) => data)
      const revealed = await client.member_pins.reveal(pin?.member_id as string, pin?.id as string)
      expect(revealed.pin).toMatch(/^\d{4,}$/)
      await client.members.create({ name: 'Of the new version' })
      const open =
        'SELECT 1 FROM events e LEFT JOIN audit_links l ON l.event_id = e.id WHERE l.event_id IS NULL'
      await expect.poll(async () => (await db.query(open)).length).toBe(0)
      expect(await verifyAudit(db, { secret_keys: config.secret_keys, anchors: [] })).toMatchObject({
        breaks: [],
      })
    })
  },
)

const kept =
  /^(members|member_.*|gadgets|devices|sites|schedules|organizations|users|installations|virtual_devices)$/

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function configFor({ server }: World, { secret_key }: Fixture, database_url: string) {
  const secret_keys = [Buffer.from(secret_key, 'base64')] as const
  return { ...server.context.config, port: 0, database_url, secret_keys }
}

async function clientOf({ context, url }: Awaited<ReturnType<typeof startServer>>, fixture: Fixture) {
  return createClient({ base_url: `${url}/v2`, token: await issueToken(context.db, fixture) })
}
