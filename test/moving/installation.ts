import { join } from 'node:path'
import { makeEmptyFolder, type Tenant, type World, type WorldOptions, world } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { gatehouse, type Said } from '../../packages/cli/test/gatehouse.ts'
import { addController } from '../devices/building.ts'

const hour = 3_600_000

/** A service with keys of its own, and the command that looks after it. */
export interface Installation extends AsyncDisposable {
  readonly w: World
  readonly env: Record<string, string>
  run(args: readonly string[], input?: string): Promise<Said>
}

export async function installation(options: WorldOptions = {}): Promise<Installation> {
  const owned = new AsyncDisposableStack()
  const data = owned.use(await makeEmptyFolder())
  const w = owned.use(await world({ delivery: true, ...options }))
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: w.database_url,
    GATEHOUSE_DATA_DIR: data.path,
    GATEHOUSE_CHECKPOINT_DIR: join(data.path, 'checkpoints'),
    GATEHOUSE_SECRET_KEY: w.server.context.config.secret_keys[0].toString('base64'),
  }
  const run = (args: readonly string[], input = '') => gatehouse(args, env, input)
  return { w, env, run, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Creates a house with a virtual keypad and door, a real controller, and a resident with every credential. */
export async function furnish(w: World, tenant: Tenant) {
  const { client } = tenant
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const product_id = 'controller'
  const controller = await client.devices.create({ name: 'C', site_id: site.id, product_id })
  const keypad = await client.devices.create({ name: 'K', site_id: site.id, product_id: 'keypad' })
  const door = await client.gadgets.create({
    name: 'Door',
    device_id: controller.id,
    states: [
      { id: 'closed', name: 'Closed' },
      { id: 'open', name: 'Open' },
    ],
  })
  const input_rules = [{ code: '', gadget_id: door.id, action_id: 'open' }]
  await client.devices.edit(keypad.id, { input_rules })
  const group = await client.member_groups.create({ name: 'All', permissions: [{ site_id: site.id }] })
  const member = await client.members.create({
    name: 'Ada Love\\lace É',
    metadata: { note: 'tab\t\\N\n\\.' },
  })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const pin = await client.member_pins.create(member.id, { pin: '8305127' })
  const link = await client.member_magic_links.create(member.id)
  const token = await client.member_tokens.create(member.id, {})
  await client.member_emails.create(member.id, { email: 'ada@example.com' })
  const webhook = await client.webhooks.create({ url: 'https://example.com/hook' })
  const edge = await addController(w, tenant, site.id, 'Street')
  return { site, keypad, door, group, member, pin, link, token, webhook, edge }
}

/** Returns a digest of the rows of all organizations but one, for each table. Deliveries and checkpoints go on meanwhile. */
export async function rowsOfOthers({ w }: Installation, organization_id: string): Promise<object> {
  const { db } = w.server.context
  const tables = await db.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
     AND c.relname !~ '^webhook_' AND c.relname <> 'audit_heads' ORDER BY 1`,
  )
  const found: Record<string, unknown> = {}
  for (const { name } of tables)
    found[name] = await db.query(
      `SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) AS all FROM ${name} t WHERE organization_id <> $1`,
      [organization_id],
    )
  return found
}

/** Waits until every event is in the audit chain. Counting a million on a busy machine takes longer than a statement may. */
export async function waitForLinks({ w }: Installation, interval = 100): Promise<void> {
  const count = `SELECT (SELECT count(*) FROM events) - (SELECT coalesce(sum(number), 0) FROM audit_heads) AS left`
  const countLeft = () =>
    w.server.context.db.transaction(async db => {
      await db.query('SET LOCAL statement_timeout = 0')
      return Number((await db.query<{ left: string }>(count))[0]?.left)
    })
  await expect.poll(countLeft, { timeout: hour, interval }).toBe(0)
}
