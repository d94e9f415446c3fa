import { type Client, createClient } from '@gatehouse-access/sdk'
import { findFreePort, manyOr, startService, type Tenant, within, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { hotel } from '../stories/hotel.ts'

const changes = manyOr(8)
const hours = (end: number) =>
  Array.from({ length: 7 }, () => ({ ranges: end > 0 ? [{ start: 0, end }] : [] }))

/** Starts a second process on one database: each must know what the other acknowledges. */
async function twoProcesses(w: Awaited<ReturnType<typeof world>>, tenant: Tenant) {
  const port = await findFreePort()
  const [key] = w.server.context.config.secret_keys
  const env = { DATABASE_URL: w.database_url, GATEHOUSE_SECRET_KEY: key?.toString('base64') ?? '' }
  const service = await startService({ port, env })
  const other = createClient({ base_url: `${service.url}/v2`, token: tenant.token, retries: 0 })
  return { service, other }
}

async function guestOf(client: Client, schedule_id: string, gadget_id: string) {
  const group = await client.member_groups.create({
    name: 'Group',
    permissions: [{ gadget_id, schedule_id }],
  })
  const member = await client.members.create({})
  const association = await client.member_group_associations.create(member.id, { member_group_id: group.id })
  return { member: member.id, group: group.id, association: association.id }
}

test(
  `${changes} changes in one process and a check of each in another: no stale answer`,
  within(120),
  async () => {
    await using w = await world()
    const tenant = await w.tenant()
    const { service, other } = await twoProcesses(w, tenant)
    await using _service = service
    const { client } = tenant
    const { door } = await hotel(client)
    const schedule = await client.schedules.create({ name: 'Hours', weekdays: hours(86_400) })
    const { member, group, association } = await guestOf(client, schedule.id, door)
    const rule = { gadget_id: door, schedule_id: schedule.id }
    const far = '2100-01-01T00:00:00Z'
    const steps: [string, () => Promise<unknown>][] = [
      ['member_not_started', () => client.members.edit(member, { starts_at: far })],
      ['allowed', () => client.members.edit(member, { starts_at: null })],
      ['outside_schedule', () => client.schedules.edit(schedule.id, { weekdays: hours(0) })],
      ['allowed', () => client.schedules.edit(schedule.id, { weekdays: hours(86_400) })],
      [
        'association_not_started',
        () => client.member_group_associations.edit(member, association, { starts_at: far }),
      ],
      ['allowed', () => client.member_group_associations.edit(member, association, { starts_at: null })],
      ['no_matching_rule', () => client.member_groups.edit(group, { permissions: [] })],
      ['allowed', () => client.member_groups.edit(group, { permissions: [rule] })],
    ]
    const ask = async (who: Client) => {
      const { reason } = await who.access_checks.create({
        member_id: member,
        gadget_id: door,
        action_id: 'open',
      })
      return reason ?? 'allowed'
    }
    for (let round = 0; round < changes / steps.length; round++)
      for (const [expected, change] of steps) {
        await change()
        expect(await Promise.all([ask(other), ask(client)])).toEqual([expected, expected])
      }
  },
)
