import type { Client } from '@gatehouse-access/sdk'
import { placesOfAlarms, type Told as ToldAlarm } from '../describe-alarm.ts'
import type { Event, Told } from '../describe-event.ts'
import { memberSearch } from '../member-search.ts'
import { findDoor, findMember } from './find.ts'
import {
  doorArgument,
  type Given,
  limitArgument,
  limitOf,
  memberArgument,
  type Tool,
  textOf,
} from './tool.ts'

interface Grouped {
  readonly group_associations: readonly {
    readonly starts_at: string | null
    readonly ends_at: string | null
    readonly member_group: { readonly id: string; readonly name: string }
  }[]
}

const listDoors: Tool = {
  name: 'list_doors',
  title: 'List doors',
  about: 'Lists doors with their site, their mode (controlled, unlocked, lockdown, …) and actions.',
  arguments: { query: { type: 'string', description: 'Part of a name.' }, limit: limitArgument },
  async run(client, given) {
    const q = textOf(given, 'query')
    const query = { limit: limitOf(given), expand: ['site'], ...(q !== undefined && { q }) } as const
    const { data, has_next } = await client.gadgets.list<{ site: { name: string; timezone: string } }>(query)
    const doors = data.map(({ id, name, site, mode, actions }) => ({
      ...{ id, name, site: site.name, timezone: site.timezone },
      ...{ mode: mode?.effective ?? null, actions: actions.map(action => action.id) },
    }))
    return { doors, has_more: has_next }
  },
}

const listMembers: Tool = {
  name: 'list_members',
  title: 'Find members',
  about: 'Lists members (people with access) with their access period and groups.',
  arguments: {
    query: { type: 'string', description: 'Part of a name, or an email address.' },
    limit: limitArgument,
  },
  async run(client, given) {
    const expand = ['group_associations.member_group'] as const
    const query = { limit: limitOf(given), expand, ...memberSearch(textOf(given, 'query')) }
    const { data, has_next } = await client.members.list<Grouped>(query)
    const members = data.map(({ id, name, starts_at, ends_at, group_associations }) => ({
      ...{ id, name, starts_at, ends_at },
      groups: group_associations.map(({ member_group }) => member_group.name),
    }))
    return { members, has_more: has_next }
  },
}

const listGroups: Tool = {
  name: 'list_groups',
  title: 'List groups',
  about: 'Lists member groups. Being in a group gives access to doors.',
  arguments: { query: { type: 'string', description: 'Part of a name.' }, limit: limitArgument },
  async run(client, given) {
    const q = textOf(given, 'query')
    const { data, has_next } = await client.member_groups.list({
      ...{ limit: limitOf(given), ...(q !== undefined && { q }) },
    })
    return { groups: data.map(({ id, name }) => ({ id, name })), has_more: has_next }
  },
}

const whyDenied: Tool = {
  name: 'why_denied',
  title: 'Why was somebody denied?',
  about:
    'Explains why a member cannot or could not open a door: the last denials with their reasons, what holds now rule by rule, and when access will be allowed next.',
  arguments: {
    member: memberArgument,
    door: { ...doorArgument, description: 'Name or ID of the door. Defaults to that of the last denial.' },
  },
  required: ['member'],
  async run(client, given) {
    const member = await findMember(client, textOf(given, 'member') ?? '')
    const wanted = textOf(given, 'door')
    const door = wanted === undefined ? undefined : await findDoor(client, wanted)
    const denials = await listEvents(client, {
      ...{ 'object.type': 'access_denial', 'subject.member_id': member.id, limit: 5 },
      ...(door && { 'object.gadget_id': door.id }),
    })
    const gadget_id = door?.id ?? denials.find(({ door_id }) => door_id)?.door_id
    const now = gadget_id ? await explainNow(client, member.id, gadget_id) : null
    return { member: { id: member.id, name: member.name }, denials, now }
  },
}

async function explainNow(client: Client, member_id: string, gadget_id: string): Promise<object> {
  const { name, door, actions } = await client.gadgets.get(gadget_id)
  const action_id = door?.release_action_id ?? actions[0]?.id ?? 'open'
  const { allowed, reason, next_allowed_at, rules } = await client.access_checks.create({
    ...{ member_id, gadget_id, action_id },
  })
  return { door: name, action: action_id, allowed, reason, next_allowed_at, rules: rules.slice(0, 20) }
}

const whoCanOpen: Tool = {
  name: 'who_can_open',
  title: 'Who can open a door?',
  about: 'Lists the members who can open a door now or at a given time, and by which methods.',
  arguments: {
    door: doorArgument,
    at: { type: 'string', description: 'A timestamp such as 2027-01-31T18:00:00Z. Defaults to now.' },
    limit: limitArgument,
  },
  required: ['door'],
  async run(client, given) {
    const door = await findDoor(client, textOf(given, 'door') ?? '')
    const at = textOf(given, 'at')
    const { data, has_next } = await client.gadgets.access<{ member: { name: string | null } }>(door.id, {
      ...{ limit: limitOf(given), expand: ['member'], ...(at !== undefined && { at }) },
    })
    const members = data.map(({ member_id, member, access_methods }) => ({
      ...{ id: member_id, name: member.name, methods: access_methods },
    }))
    return { door: { id: door.id, name: door.name }, members, has_more: has_next }
  },
}

const whatCanOpen: Tool = {
  name: 'what_can_member_open',
  title: 'What can a member open?',
  about: 'Lists the doors that a member can open now or at a given time, and by which methods.',
  arguments: {
    member: memberArgument,
    at: { type: 'string', description: 'A timestamp. Defaults to now.' },
    limit: limitArgument,
  },
  required: ['member'],
  async run(client, given) {
    const member = await findMember(client, textOf(given, 'member') ?? '')
    const at = textOf(given, 'at')
    const { data, has_next } = await client.members.access<{ gadget: { name: string } }>(member.id, {
      ...{ limit: limitOf(given), expand: ['gadget'], ...(at !== undefined && { at }) },
    })
    const doors = data.map(({ gadget_id, gadget, action_id, access_methods }) => ({
      ...{ id: gadget_id, name: gadget.name, action: action_id, methods: access_methods },
    }))
    return { member: { id: member.id, name: member.name }, doors, has_more: has_next }
  },
}

const listLatest: Tool = {
  name: 'list_events',
  title: 'What happened?',
  about: 'Lists the latest events, the newest first: doors opened, denials, changes.',
  arguments: {
    door: doorArgument,
    member: memberArgument,
    denied: { type: 'boolean', description: 'Only denials.' },
    since: { type: 'string', description: 'A timestamp: only events since then.' },
    limit: limitArgument,
  },
  async run(client, given) {
    const [door, member, since] = ['door', 'member', 'since'].map(name => textOf(given, name))
    const filter = {
      ...(door !== undefined && { 'object.gadget_id': (await findDoor(client, door)).id }),
      ...(member !== undefined && { 'subject.member_id': (await findMember(client, member)).id }),
      ...(given.denied === true && { 'object.type': 'access_denial' as const }),
      ...(since !== undefined && { 'created_at:ge': since }),
    }
    return { events: await listEvents(client, { ...filter, limit: limitOf(given) }) }
  },
}

type EventQuery = NonNullable<Parameters<Client['events']['list']>[0]>

async function listEvents(client: Client, query: EventQuery) {
  const { data } = await client.events.list<Told>({
    ...query,
    sort: 'created_at:desc',
    expand: ['subject_member', 'object_gadget'],
  })
  return data.map(describe)
}

function describe(event: Event & Told) {
  const { id, created_at, local_time, verb, subject, object, subject_member, object_gadget } = event
  return {
    ...{ id, at: created_at, local_time, verb, type: object.type, reason: object.reason },
    ...{ member: subject_member?.name ?? null, method: subject.access_method },
    ...{ door: object_gadget?.name ?? null, door_id: object.gadget_id, action: object.gadget_action_id },
  }
}

const listAlarms: Tool = {
  name: 'list_alarms',
  title: 'List alarms',
  about: 'Lists the latest alarms: doors forced or held open, devices offline, and others.',
  arguments: {
    open: { type: 'boolean', description: 'Only those that nobody has acknowledged or closed.' },
    limit: limitArgument,
  },
  async run(client: Client, given: Given) {
    const { data } = await client.alarms.list<ToldAlarm>({
      ...{ limit: limitOf(given), sort: 'started_at:desc', expand: placesOfAlarms },
      ...(given.open === true && { state: 'open' as const }),
    })
    const alarms = data.map(({ id, type, severity, state, started_at, ended_at, gadget, device, site }) => ({
      ...{ id, type, severity, state, started_at, ended_at },
      ...{ door: gadget?.name ?? null, device: device?.name ?? null, site: site?.name ?? null },
    }))
    return { alarms }
  },
}

export const readTools: readonly Tool[] = [
  listDoors,
  listMembers,
  listGroups,
  whyDenied,
  whoCanOpen,
  whatCanOpen,
  listLatest,
  listAlarms,
]
