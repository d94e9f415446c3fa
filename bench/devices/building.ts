import { createHash, randomBytes } from 'node:crypto'
import { makeId } from '../../packages/core/src/index.ts'
import type { Pool } from '../../packages/server/src/index.ts'
import { createTenant, type Tenant } from '../tenant.ts'

export interface Credentials {
  readonly hardware_id: string
  readonly secret: string
  readonly device_id: string
  readonly gadget_id: string
  /** All of its doors. */
  readonly gadget_ids: readonly string[]
}

export interface Building {
  readonly tenant: Tenant
  readonly site_id: string
  readonly member_group_id: string
  readonly devices: readonly Credentials[]
}

const lock = {
  release_action_id: 'open',
  hold_action_id: 'hold',
  secure_action_id: 'secure',
  exit_action_ids: [],
  egress: 'mechanical',
  lock_type: 'fail_secure',
  on_stop: 'secure',
  release_seconds: 5,
  held_open_seconds: 30,
}

/**
 * Creates a site with `count` controllers, and a group that may open all of their doors. With `doors`, each has
 * that many, which have modes; otherwise one.
 */
export async function build(db: Pool, count: number, doors?: number, name = 'BENCH'): Promise<Building> {
  const tenant = await createTenant(db, 'Building')
  const { organization_id } = tenant
  const now = new Date().toISOString()
  const id = (prefix: string) => makeId(prefix, Date.now(), randomBytes(7))
  const common = {
    organization_id,
    tag_ids: [],
    is_deleted: false,
    created_at: now,
    metadata: {},
    search_text: '',
  }
  const site_id = id('site')
  await insert(db, 'sites', [{ ...common, id: site_id, name: 'Site', timezone: 'Europe/Madrid' }])
  const devices = Array.from({ length: count }, (_, index) => ({
    device_id: id('dev'),
    ...gadgetsOf(Array.from({ length: doors ?? 1 }, () => id('gad'))),
    hardware_id: `hw_${name}-${index}`,
    secret: `ghd_${randomBytes(32).toString('base64url')}`,
  }))
  const status = {
    online: false,
    mains_present: false,
    battery_present: false,
    battery_charging: false,
    battery_percent: 0,
  }
  const product = { name: 'Controller', site_id, product_id: 'controller', input_rules: [], status }
  await insert(
    db,
    'devices',
    devices.map(({ device_id, hardware_id, secret }) => ({
      ...common,
      ...product,
      id: device_id,
      hardware_id,
      secret_hash: `\\x${createHash('sha256').update(secret).digest('hex')}`,
    })),
  )
  const actions = ['open', ...(doors ? ['hold', 'secure'] : [])].map(action => ({ id: action, name: action }))
  await insert(
    db,
    'gadgets',
    devices.flatMap(({ device_id, gadget_ids }) =>
      gadget_ids.map(gadget_id => ({
        ...common,
        id: gadget_id,
        name: 'Door',
        site_id,
        device_id,
        actions,
        states: [],
        signals: [{ id: 'bell', name: 'Bell' }],
        ...(doors && { door: lock }),
      })),
    ),
  )
  const member_group_id = id('mg')
  await insert(db, 'member_groups', [
    { ...common, id: member_group_id, name: 'Staff', permissions: [{ site_id }] },
  ])
  return { tenant, site_id, member_group_id, devices }
}

function gadgetsOf(gadget_ids: readonly string[]) {
  return { gadget_id: gadget_ids[0] ?? '', gadget_ids }
}

export async function insert(db: Pool, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  await db.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [rows],
  )
}
