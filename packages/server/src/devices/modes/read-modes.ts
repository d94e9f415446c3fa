import type { Database } from '../../database/db.ts'
import { allOf } from '../../flow/all-of.ts'
import { Gateways } from './gateways.ts'
import type { ModeSources } from './mode-sources.ts'
import { readFires, readOverrides } from './read-doors.ts'
import { readEmergencies } from './read-emergencies.ts'
import { readPlans } from './read-plans.ts'
import { readRules } from './read-rules.ts'

/** What has changed, by id. Overrides have the ids of their gadgets, fires those of their sites. */
export interface ChangedModes {
  readonly unlock_rules: ReadonlySet<string>
  readonly emergency_plans: ReadonlySet<string>
  readonly gadgets: ReadonlySet<string>
  readonly sites: ReadonlySet<string>
}

export async function loadModes(db: Database, organizationId: string): Promise<ModeSources> {
  const sources: ModeSources = {
    unlock_rules: new Map(),
    overrides: new Map(),
    emergencies: new Map(),
    emergency_plans: new Map(),
    fires: new Map(),
    gateways: new Gateways(),
  }
  await allOf([
    readEmergencies(db, organizationId, sources),
    readRules(db, organizationId, sources.unlock_rules),
    readPlans(db, organizationId, sources.emergency_plans),
    readFires(db, organizationId, sources.fires),
    readOverrides(db, organizationId, sources.overrides),
    readGateways(db, organizationId, sources.gateways),
  ])
  return sources
}

/** Reads again what has changed, except emergencies: these are read before everything else. */
export async function rereadModes(
  db: Database,
  organizationId: string,
  sources: ModeSources,
  changed: ChangedModes,
): Promise<void> {
  await readRules(db, organizationId, sources.unlock_rules, changed.unlock_rules)
  await readPlans(db, organizationId, sources.emergency_plans, changed.emergency_plans)
  await readFires(db, organizationId, sources.fires, changed.sites)
  await readOverrides(db, organizationId, sources.overrides, changed.gadgets)
}

async function readGateways(db: Database, organizationId: string, gateways: Gateways): Promise<void> {
  const rows = await db.query<{ id: string; gateway_device_id: string }>(
    'SELECT id, gateway_device_id FROM devices WHERE organization_id = $1 AND NOT is_deleted AND gateway_device_id IS NOT NULL',
    [organizationId],
  )
  for (const { id, gateway_device_id } of rows) gateways.set(id, gateway_device_id)
}

/** Reads again where one device is. Returns true if it was not known to be there. */
export async function rereadGateway(
  db: Database,
  organizationId: string,
  gateways: Gateways,
  deviceId: string,
): Promise<boolean> {
  const [row] = await db.query<{ gateway_device_id: string | null }>(
    'SELECT gateway_device_id FROM devices WHERE organization_id = $1 AND id = $2',
    [organizationId, deviceId],
  )
  return gateways.set(deviceId, row?.gateway_device_id ?? null)
}
