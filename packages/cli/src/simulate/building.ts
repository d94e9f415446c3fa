import { randomInt } from 'node:crypto'
import { doorTemplates } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'

/** Everything that a simulation creates begins with this word, and nothing else is touched. */
export const mark = 'Simulated'
const hour = 3600

export interface Cast {
  readonly member_id: string
  readonly uid: string
}

export type Building = Awaited<ReturnType<typeof buildIn>>

/** Creates a building with virtual controllers, its people and their permissions. */
export async function buildIn(client: Client) {
  const { id: site_id } = await client.sites.create({ name: `${mark} building`, timezone: morningZone() })
  const device = (name: string) =>
    client.devices.create({ name: `${mark} ${name}`, site_id, product_id: 'controller' })
  const [entrance, offices] = [await device('entrance controller'), await device('office controller')]
  const doors = {
    front: await addDoor(client, entrance.id, 'front door', 'holdable', [
      { id: 'leaving', name: 'Last one out' },
    ]),
    back: await addDoor(client, entrance.id, 'back door', 'magnetic'),
    office: await addDoor(client, offices.id, 'office', 'holdable'),
    archive: await addDoor(client, offices.id, 'archive', 'plain'),
  }
  await client.devices.edit(entrance.id, { input_rules: [rule('', doors.front), rule('*2', doors.back)] })
  await client.devices.edit(offices.id, { input_rules: [rule('', doors.office), rule('*2', doors.archive)] })
  const groups = await addGroups(client, site_id, doors)
  const plans = await addPlans(client, site_id, doors, groups)
  const people = await addPeople(client, groups)
  return { site_id, entrance: entrance.id, offices: offices.id, doors, people, ...plans }
}

/** A zone in which it is about eight in the morning, so that office hours have begun. */
function morningZone(): string {
  const ahead = ((8 - new Date().getUTCHours() + 36) % 24) - 12
  // The sign of these names is turned around: Etc/GMT-2 is two hours ahead of UTC.
  return ahead === 0 ? 'Etc/UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

function rule(code: string, gadget_id: string) {
  return { code, gadget_id, action_id: 'open' }
}

async function addDoor(
  client: Client,
  device_id: string,
  name: string,
  kind: keyof typeof doorTemplates,
  signals: readonly { id: string; name: string }[] = [],
): Promise<string> {
  const template = doorTemplates[kind]
  const body = { ...structuredClone(template), signals: [...template.signals, ...signals] }
  const { id } = await client.gadgets.create({ name: `${mark} ${name}`, device_id, ...body })
  return id
}

type Doors = Record<'front' | 'back' | 'office' | 'archive', string>

async function addGroups(client: Client, site_id: string, { back, front, office }: Doors) {
  const group = (name: string, permissions: { site_id?: string; gadget_id?: string; action_id?: string }[]) =>
    client.member_groups.create({ name: `${mark} ${name}`, permissions })
  const employees = [front, back, office].map(gadget_id => ({ gadget_id, action_id: 'open' }))
  return {
    managers: (await group('managers', [{ site_id }])).id,
    employees: (await group('employees', employees)).id,
    visitors: (await group('visitors', [{ gadget_id: front, action_id: 'open' }])).id,
    security: (await group('security', [{ site_id }])).id,
  }
}

type Groups = Awaited<ReturnType<typeof addGroups>>

async function addPlans(client: Client, site_id: string, { front }: Doors, { managers, security }: Groups) {
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 6 * hour, end: 22 * hour }] }))
  const schedule = await client.schedules.create({ name: `${mark} office hours`, weekdays })
  await client.unlock_rules.create({
    name: `${mark} lobby`,
    site_id,
    gadget_ids: [front],
    schedule_id: schedule.id,
    first_person: { member_group_ids: [managers], early_seconds: hour, before: 'closed' },
    last_person_signal: { gadget_id: front, signal_id: 'leaving' },
  })
  const plan = await client.emergency_plans.create({
    name: `${mark} lockdown`,
    type: 'lockdown',
    targets: { site_ids: [site_id] },
    exempt_member_group_ids: [security],
  })
  return { plan_id: plan.id }
}

async function addPeople(client: Client, groups: Groups) {
  const add = async (name: string, member_group_id: string): Promise<Cast> => {
    const member = await client.members.create({ name: `${mark} ${name}` })
    await client.member_group_associations.create(member.id, { member_group_id })
    const uid = randomInt(2 ** 40)
      .toString(16)
      .toUpperCase()
      .padStart(14, '0')
    await client.member_cards.create(member.id, { uid })
    return { member_id: member.id, uid }
  }
  return {
    manager: await add('manager', groups.managers),
    employee: await add('employee', groups.employees),
    visitor: await add('visitor', groups.visitors),
    guard: await add('guard', groups.security),
  }
}
