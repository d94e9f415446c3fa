import { CommandError } from '../command.ts'
import { endAccess as endMember } from '../end-access.ts'
import { findDoor, findGroup, findMember } from './find.ts'
import { doorArgument, memberArgument, type Tool, textOf } from './tool.ts'

const giveAccess: Tool = {
  name: 'give_guest_access',
  title: 'Give a guest access',
  about:
    'Creates a member with access through groups until a time, with a PIN and a link to hand over. Ask for the groups if they are not clear: list_groups lists them.',
  arguments: {
    name: { type: 'string', description: 'The name of the guest.' },
    groups: { type: 'array', items: { type: 'string' }, description: 'Names or IDs of groups.' },
    until: { type: 'string', description: 'When access ends: a timestamp with a time zone.' },
    from: { type: 'string', description: 'When access starts. Defaults to now.' },
    email: { type: 'string', description: 'An address that an invitation is sent to.' },
  },
  required: ['name', 'groups', 'until'],
  writes: 'adds',
  async run(client, given) {
    const wanted = (given.groups as readonly string[]) ?? []
    if (wanted.length === 0) throw new CommandError('Name at least one group: without one, no door opens.')
    const groups: { id: string; name: string | null }[] = []
    for (const name of wanted) groups.push(await findGroup(client, name))
    const [from, email] = [textOf(given, 'from'), textOf(given, 'email')]
    const member = await client.grants.create({
      member: {
        name: textOf(given, 'name') ?? '',
        ends_at: textOf(given, 'until') ?? '',
        ...(from !== undefined && { starts_at: from }),
      },
      member_group_ids: groups.map(({ id }) => id),
      credentials: { pin: {}, magic_link: true, ...(email !== undefined && { emails: [email] }) },
      ...(email !== undefined && { notify: true }),
    })
    return {
      ...{ id: member.id, name: member.name, starts_at: member.starts_at, ends_at: member.ends_at },
      groups: groups.map(({ name }) => name),
      pin: member.pins?.[0]?.pin ?? null,
      link: member.magic_links?.[0]?.link ?? null,
    }
  },
}

const openDoor: Tool = {
  name: 'open_door',
  title: 'Open a door',
  about: 'Opens a door now, for a moment. It is recorded under the user or key that the server runs with.',
  arguments: { door: doorArgument },
  required: ['door'],
  writes: 'adds',
  async run(client, given) {
    const { id, name, door, actions } = await findDoor(client, textOf(given, 'door') ?? '')
    const action_id = door?.release_action_id ?? actions[0]?.id ?? 'open'
    await client.gadgets.run_action(id, action_id, {})
    return { opened: true, door: name, action: action_id }
  },
}

const endAccess: Tool = {
  name: 'end_access',
  title: 'End access',
  about:
    'Ends the access of a member now, at all doors. A day later the member is deleted: it keeps its history, and can be restored.',
  arguments: { member: memberArgument },
  required: ['member'],
  writes: 'ends',
  async run(client, given) {
    const { id } = await findMember(client, textOf(given, 'member') ?? '')
    const { name, ends_at } = await endMember(client, id)
    return { id, name, ends_at }
  },
}

export const writeTools: readonly Tool[] = [giveAccess, openDoor, endAccess]
