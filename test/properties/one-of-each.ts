import { type JobTypeName, type Kind, noneErased, prefixes, resources } from '@gatehouse-access/api'
import { addSeconds, makeId } from '@gatehouse-access/core'
import type { Tenant, World } from '@gatehouse-access/testkit'
import { seedJob } from '../../packages/server/src/services/jobs/create-job.ts'
import { insertNew } from '../../packages/server/src/services/objects/new-object.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { sealedAs } from '../../packages/server/src/vault/contexts.ts'
import { type Ask, succeed } from './ask.ts'
import { plantTheRest } from './plain-bodies.ts'
import { plantAlarms } from './plant-alarms.ts'

/** One id of every kind, and a few more for bodies that must not conflict with those. */
export type Ids = Record<Kind | 'product' | 'action', string> & {
  inherited_group: string
  free_cards: readonly string[]
  /** A plan has its control gadget to itself. */
  control_gadgets: readonly string[]
}

const week = Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_800 }] }))

/** Creates one object of every kind in an organization, over HTTP where that is possible, and returns their ids. */
export async function plantOneOfEach(ask: Ask, tenant: Tenant, { server }: World): Promise<Ids> {
  const create = async (path: string, body: object = {}) =>
    (await succeed<{ id: string }>(ask, { method: 'POST', path, body })).id
  const tag = await create('/tags', { name: 'VIP' })
  const schedule = await create('/schedules', { name: 'Day', weekdays: week })
  const places = await plantPlaces(create, tag, schedule)
  const member_group = await create('/member_groups', {
    name: 'Cleaning',
    permissions: [
      { gadget_id: places.gadget, action_id: 'open', schedule_id: schedule },
      { gadget_id: places.gadget },
    ],
    tag_ids: [tag],
  })
  const inherited_group = await create('/member_groups', { name: 'Everyone' })
  const people = await plantPeople(create, tag, member_group)
  const modes = await plantModes(create, places, schedule)
  const webhook = await create('/webhooks', { url: 'https://example.com/hook' })
  const { webhook_delivery_id } = await succeed<{ webhook_delivery_id: string }>(ask, {
    method: 'POST',
    path: `/webhooks/${webhook}/test`,
  })
  const job = await plantJob(server.context, tenant)
  const privacy = await plantPrivacy(server.context, tenant, people.member)
  const alarms = await plantAlarms(server.context, tenant.organization_id, places)
  const events = await succeed<{ data: { id: string }[] }>(ask, { method: 'GET', path: '/events' })
  return plantTheRest(create, {
    ...places,
    ...people,
    ...modes,
    ...alarms,
    ...(await plantTargets(create, alarms.user)),
    organization: tenant.organization_id,
    job,
    ...privacy,
    oauth_application: tenant.oauth_application_id,
    invitation: neverId('invitation'),
    webhook_delivery: webhook_delivery_id,
    product: 'controller',
    action: 'open',
    tag,
    schedule,
    member_group,
    inherited_group,
    webhook,
    event: events.data[0]?.id as string,
  })
}

/** A dry run of the application, of which the undo is allowed too. */
export async function plantJob(
  context: World['server']['context'],
  { organization_id, oauth_application_id }: Pick<Tenant, 'organization_id' | 'oauth_application_id'>,
  type: JobTypeName = 'import',
): Promise<string> {
  const work = { context, db: context.db, caller: serviceCaller(organization_id), now: context.clock.now() }
  const { id, key } = seedJob(work.now)
  const tomorrow = addSeconds(work.now, 24 * 3600)
  await insertNew(work, resources.job, {
    id,
    type,
    state: 'awaiting',
    is_dry_run: true,
    started_at: work.now,
    ended_at: work.now,
    can_start_until: tomorrow,
    can_undo_until: tomorrow,
    created_by: { user_id: null, oauth_application_id },
    key_ciphertext: context.vault.encrypt(key, sealedAs.job(id)),
  })
  return id
}

/** An erasure that is still far, and a hold, which only an owner sets. */
export async function plantPrivacy(
  context: World['server']['context'],
  { organization_id }: Tenant,
  member_id: string,
) {
  const work = { context, db: context.db, caller: serviceCaller(organization_id), now: context.clock.now() }
  const erasure = await insertNew(work, resources.erasure, {
    member_id,
    state: 'scheduled',
    scheduled_at: addSeconds(work.now, 20 * 24 * 3600),
    events: 'unlink',
    includes_cards: false,
    reason: 'request',
    counts: noneErased,
  })
  const expires_at = addSeconds(work.now, 24 * 3600)
  const hold = await insertNew(work, resources.legal_hold, {
    name: 'Case',
    member_ids: [member_id],
    expires_at,
  })
  return { erasure: erasure.id, legal_hold: hold.id }
}

type Create = (path: string, body?: object) => Promise<string>

async function plantPlaces(create: Create, tag: string, schedule: string) {
  const site = await create('/sites', { name: 'Madrid', timezone: 'Europe/Madrid', tag_ids: [tag] })
  const device = await create('/devices', {
    name: 'Lobby',
    site_id: site,
    product_id: 'controller',
    tag_ids: [tag],
  })
  const gadget = await create('/gadgets', {
    name: 'Door',
    device_id: device,
    actions: ['open', 'close'].map(id => ({ id, name: id })),
    states: ['open', 'close'].map(id => ({ id, name: id })),
    signals: [{ id: 'bell', name: 'Bell' }],
    door: {
      release_action_id: 'open',
      hold_action_id: 'open',
      secure_action_id: 'close',
      open_state_id: 'open',
      closed_state_id: 'close',
    },
    tag_ids: [tag],
  })
  const control = {
    name: 'Lockdown',
    device_id: device,
    actions: ['start', 'end'].map(id => ({ id, name: id })),
  }
  const control_gadgets = [await create('/gadgets', control), await create('/gadgets', control)]
  const gadget_trigger = await create('/gadget_triggers', {
    source_type: 'schedule',
    source_schedule_id: schedule,
    source_schedule_event: 'enter',
    target_gadget_id: gadget,
    target_action_id: 'open',
  })
  return { site, device, gadget, gadget_trigger, control_gadgets }
}

async function plantModes(
  create: Create,
  { gadget, site }: Record<'gadget' | 'site', string>,
  schedule: string,
) {
  const [type, targets] = ['lockdown', { gadget_ids: [gadget] }]
  return {
    unlock_rule: await create('/unlock_rules', {
      name: 'Lobby',
      site_id: site,
      gadget_ids: [gadget],
      schedule_id: schedule,
    }),
    emergency_plan: await create('/emergency_plans', { name: 'Lock', type, targets }),
    emergency: await create('/emergencies', { type, targets }),
  }
}

async function plantTargets(create: Create, user_id: string) {
  const url = 'https://ntfy.example.com'
  const notification_target = await create('/notification_targets', { kind: 'ntfy', url, topic: 'doors' })
  return {
    notification_target,
    alarm_rule: await create('/alarm_rules', {
      name: 'Doors',
      types: ['door_held'],
      notify: [{ notification_target_id: notification_target }, { user_id }],
    }),
  }
}

async function plantPeople(create: Create, tag: string, member_group_id: string) {
  const member = await create('/members', { name: 'Guest', tag_ids: [tag], metadata: { source: 'pms' } })
  const card = await create('/cards', { uid: '04A1B2C3', printed_code: 'GH-1' })
  return {
    member,
    card,
    free_cards: await plantFreeCards(create),
    member_email: await create(`/members/${member}/emails`, { email: 'guest@example.com' }),
    member_magic_link: await create(`/members/${member}/magic_links`),
    member_pin: await create(`/members/${member}/pins`),
    member_card: await create(`/members/${member}/cards`, { card_id: card }),
    member_token: await create(`/members/${member}/tokens`),
    member_group_association: await create(`/members/${member}/group_associations`, { member_group_id }),
  }
}

async function plantFreeCards(create: Create): Promise<string[]> {
  const cards: string[] = []
  for (const number of [0, 1, 2, 3]) cards.push(await create('/cards', { printed_code: `FREE-${number}` }))
  return cards
}

/** Returns a well-formed id that no object has. */
export function neverId(kind: Kind, number = 0): string {
  return makeId(prefixes[kind], 1_000_000_000_000 + number, new Uint8Array(7))
}
