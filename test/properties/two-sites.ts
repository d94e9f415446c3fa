import type { Kind } from '@gatehouse-access/api'
import type { Tenant, World } from '@gatehouse-access/testkit'
import { addUser } from '../../packages/server/src/services/organizations/organization-users.ts'
import type { Position } from '../../packages/server/src/services/roles/roles.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { sessionAsker } from '../fuzz/session-asker.ts'
import { signUp } from '../oauth/people.ts'
import { type Ask, requester, succeed } from './ask.ts'
import { type Ids, plantOneOfEach } from './one-of-each.ts'

/** A word in everything of the other site that has a name. */
export const canary = 'zzcanary'

export interface TwoSites {
  readonly tenant: Tenant
  /** Asks as an application with all rights. */
  readonly admin: Ask
  /** One of each kind: of the first site where kinds have sites. */
  readonly ids: Ids
  /** What belongs to the other site alone. */
  readonly beyond: Partial<Record<Kind, string>>
  /** In groups of both sites, and a group that opens doors of both. */
  readonly shared: { readonly member: string; readonly member_group: string; readonly association: string }
  /** Of the first site alone. */
  readonly own_group: string
}

type Create = (path: string, body?: object) => Promise<string>

/** An organization with two sites, members and groups of each and of both. */
export async function settleTwoSites(w: World): Promise<TwoSites> {
  const tenant = await w.tenant('Two sites')
  const admin = requester(w.url, tenant.token)
  const create: Create = async (path, body = {}) =>
    (await succeed<{ id: string }>(admin, { method: 'POST', path, body })).id
  const ids = await plantOneOfEach(admin, tenant, w)
  const own_group = await create('/member_groups', { name: 'Own', permissions: [{ site_id: ids.site }] })
  const beyond = await plantBeyond(create, own_group)
  await loseCards(admin, ids.member, beyond.member ?? '')
  const member_group = await create('/member_groups', {
    name: 'Both',
    permissions: [{ site_id: ids.site }, { gadget_id: beyond.gadget, schedule_id: beyond.schedule }],
  })
  const member = await create('/members', { name: 'Shared' })
  const association = await create(`/members/${member}/group_associations`, { member_group_id: member_group })
  await create(`/members/${member}/group_associations`, { member_group_id: beyond.member_group })
  return { tenant, admin, ids, beyond, shared: { member, member_group, association }, own_group }
}

/** A member of the other site lost a card that nobody else had, and one that a member of the first site had before. */
async function loseCards(admin: Ask, here: string, beyond: string): Promise<void> {
  const give = (member: string, uid: string) =>
    succeed<{ id: string; card_id: string }>(admin, {
      method: 'POST',
      path: `/members/${member}/cards`,
      body: { uid },
    })
  const passed = await give(here, '04C0FFE1')
  await succeed(admin, { method: 'DELETE', path: `/members/${here}/cards/${passed.id}` })
  for (const uid of ['04C0FFE1', '04C0FFE2']) {
    const { card_id } = await give(beyond, uid)
    const body = { is_lost: true, lost_reason: canary }
    await succeed(admin, { method: 'PATCH', path: `/cards/${card_id}`, body })
  }
}

/** Its group inherits the one of the first site, of which nothing is left for it there. */
async function plantBeyond(create: Create, own_group: string): Promise<Record<string, string>> {
  const site = await create('/sites', { name: canary, timezone: 'Europe/Lisbon', info: canary })
  const device = await create('/devices', { name: canary, site_id: site, product_id: 'controller' })
  const gadget = await create('/gadgets', {
    name: canary,
    device_id: device,
    actions: ['open', 'close'].map(id => ({ id, name: id })),
    door: { release_action_id: 'open' },
  })
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 3600 }] }))
  const schedule = await create('/schedules', { name: canary, weekdays })
  const gadget_trigger = await create('/gadget_triggers', {
    source_type: 'schedule',
    source_schedule_id: schedule,
    source_schedule_event: 'enter',
    target_gadget_id: gadget,
    target_action_id: 'open',
    metadata: { word: canary },
  })
  const permissions = [
    { gadget_id: gadget, schedule_id: schedule },
    { member_group_id: own_group, gadget_id: gadget },
  ]
  const member_group = await create('/member_groups', { name: canary, permissions })
  const member = await create('/members', { name: canary })
  const of = (path: string) => `/members/${member}${path}`
  const card = await create('/cards', { uid: '04C0FFEE', name: canary })
  const plan = { type: 'lockdown', targets: { site_ids: [site] } }
  return {
    ...{ site, device, gadget, gadget_trigger, schedule, member_group, member, card },
    member_email: await create(of('/emails'), { email: `${canary}@example.com` }),
    member_magic_link: await create(of('/magic_links')),
    member_pin: await create(of('/pins')),
    member_card: await create(of('/cards'), { card_id: card }),
    member_token: await create(of('/tokens')),
    member_group_association: await create(of('/group_associations'), { member_group_id: member_group }),
    emergency_plan: await create('/emergency_plans', { name: canary, ...plan }),
    emergency: await create('/emergencies', { name: canary, ...plan }),
  }
}

/** Signs a new user in and gives it a position in the organization. Asks below `/v2`, as the console does. */
export async function appoint(
  w: World,
  { tenant }: TwoSites,
  email: string,
  position: Position,
): Promise<Ask> {
  const visitor = await signUp(w, email)
  const { body } = await visitor.account<{ user: { id: string } }>('GET', '/account/session')
  const { context } = w.server
  const { organization_id } = tenant
  const work = { context, db: context.db, caller: serviceCaller(organization_id), now: context.clock.now() }
  await addUser(work, body.user.id, position)
  const ask = await sessionAsker(visitor, { 'x-organization-id': organization_id })
  return question => ask({ ...question, path: `/v2${question.path}` })
}
