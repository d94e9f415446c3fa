import { createClient } from '../../packages/sdk/src/index.ts'
import type { Pool } from '../../packages/server/src/index.ts'
import { judge, measureInTurn, median, medianRatio, printTable } from '../figures.ts'
import { openLoad } from '../load.ts'
import { startService } from '../service.ts'
import { fillMembers, run } from '../size/fill-members.ts'
import { createTenant } from '../tenant.ts'

const members = 100_000
const at = encodeURIComponent('2025-01-15T00:00:00Z')

/** Compares "who may open this door" with a page of members. A third of the members may. */
export async function compareAccess(seconds: number): Promise<void> {
  await using service = await startService()
  using load = openLoad()
  const tenant = await createTenant(service.db, 'Bench')
  const headers = await tenant.headers()
  const client = createClient({ base_url: `${service.url}/v2`, token: tenant.token })
  const site = await client.sites.create({ name: 'Site', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({
    name: 'Controller',
    site_id: site.id,
    product_id: 'controller',
  })
  const door = await client.gadgets.create({ name: 'Door', device_id: device.id })
  const group = await client.member_groups.create({ name: 'Group', permissions: [{ gadget_id: door.id }] })
  await fillMembers(service.db, tenant.organization_id, members)
  await joinEveryThird(service.db, tenant.organization_id, group.id)
  const time = (path: string) => async () =>
    1000 /
    (await load.measure({
      url: service.url,
      connections: 1,
      duration: seconds,
      requests: [{ path, headers }],
    }))
  const { plain, who } = await measureInTurn({
    plain: time('/v2/members?limit=20'),
    who: time(`/v2/gadgets/${door.id}/access?limit=20&at=${at}`),
  })
  const row = ['who may open this', median(plain).toFixed(2), median(who).toFixed(2)]
  printTable(
    `Access at ${members.toLocaleString('en')} members, first page of 20`,
    ['', 'ms of a page of members', 'ms', 'ratio', 'bound', 'holds'],
    [[...row, ...judge(medianRatio(who, plain), 3, 'at most')]],
  )
}

async function joinEveryThird(db: Pool, organizationId: string, groupId: string): Promise<void> {
  await db.query(
    `INSERT INTO member_group_associations (id, organization_id, member_id, member_group_id, is_deleted, created_at, metadata)
     SELECT 'mga_' || right(id, 20), organization_id, id, $2, false, created_at, '{}' FROM members
     WHERE organization_id = $1 AND right(id, 6)::integer % 3 = 0`,
    [organizationId, groupId],
  )
  await run(db, 'VACUUM ANALYZE member_group_associations')
}
