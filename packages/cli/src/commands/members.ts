import type { GrantBody, ObjectOf, Resources } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { type Command, type Input, jsonOption, type Option, organizationOption } from '../command.ts'
import { formatTime } from '../describe-alarm.ts'
import { endAccess } from '../end-access.ts'
import { findByName } from '../find-by-name.ts'
import { memberSearch } from '../member-search.ts'
import { openClient, urlOption } from '../open-client.ts'
import { readCount } from '../read-arguments.ts'
import { readTime } from '../read-time.ts'
import { formatTable } from '../table.ts'

type Member = ObjectOf<Resources['member']>
interface Grouped {
  readonly group_associations: readonly { readonly member_group: { readonly name: string } }[]
}

const expand = ['group_associations.member_group'] as const
const place = { organization: organizationOption, url: urlOption, json: jsonOption }
const from: Option = {
  type: 'string',
  value: 'TIME',
  about: 'When access starts, such as 2h or 2027-01-31T15:00.',
}
const until: Option = { type: 'string', value: 'TIME', about: 'When access ends, such as 3d or 2027-01-31.' }
const usualLimit = 50

const membersList: Command = {
  name: 'members list',
  parameters: ['[WORDS]'],
  about: 'Lists members, or those whose name contains the words, or who have the email address.',
  options: {
    limit: { type: 'string', value: 'N', about: `How many. Defaults to ${usualLimit}.` },
    ...place,
  },
  async run(input) {
    const limit = readCount(input, 'members list', 'limit', usualLimit)
    const [words] = input.parameters
    const client = await openClient(input)
    const query = { expand, limit: Math.min(100, Math.max(1, limit)), ...memberSearch(words) }
    const rows: string[][] = []
    for await (const member of client.members.all<Grouped>(query)) {
      if (rows.length >= limit) break
      if (input.flag('json')) input.print(JSON.stringify(member))
      rows.push(formatMember(member))
    }
    if (!input.flag('json')) input.print(formatTable(['ID', 'NAME', 'FROM', 'UNTIL', 'GROUPS'], rows))
  },
}

const membersGet: Command = {
  name: 'members get',
  parameters: ['MEMBER'],
  about: 'Shows a member: the name or ID.',
  options: place,
  async run(input) {
    const client = await openClient(input)
    const { id } = await findMember(input, client)
    const member = await client.members.get<Grouped>(id, { expand })
    printMember(input, member, formatMember(member)[4])
  },
}

const membersCreate: Command = {
  name: 'members create',
  parameters: ['NAME'],
  about: 'Creates a member, with groups and credentials.',
  options: {
    group: { type: 'string', takes: 'many', value: 'GROUP …', about: 'Groups, by name or ID.' },
    email: { type: 'string', takes: 'many', value: 'EMAIL …', about: 'Addresses to sign in with.' },
    from,
    until,
    pin: { type: 'boolean', about: 'Make a PIN and print it.' },
    link: { type: 'boolean', about: 'Make a link to the guest page and print it.' },
    notify: { type: 'boolean', about: 'Send an invitation to the addresses.' },
    ...place,
  },
  async run(input) {
    const [name = ''] = input.parameters
    const period = readPeriod(input)
    const client = await openClient(input)
    const member_group_ids = await findGroups(input, client)
    const emails = [...input.texts('email')]
    const body: GrantBody = {
      member: { name, ...period },
      member_group_ids,
      credentials: {
        ...(emails.length > 0 && { emails }),
        ...(input.flag('pin') && { pin: {} }),
        ...(input.flag('link') && { magic_link: true }),
      },
      ...(input.flag('notify') && { notify: true }),
    }
    const member = await client.grants.create(body)
    printMember(input, member)
    if (input.flag('json')) return
    for (const { pin } of member.pins ?? []) input.print(`PIN    ${pin}`)
    for (const { link } of member.magic_links ?? []) input.print(`Link   ${link}`)
  },
}

const membersEdit: Command = {
  name: 'members edit',
  parameters: ['MEMBER'],
  about: 'Changes the name or the access period of a member.',
  options: { name: { type: 'string', value: 'NAME', about: 'The new name.' }, from, until, ...place },
  async run(input) {
    const name = input.text('name')
    const changes = { ...readPeriod(input), ...(name !== undefined && { name }) }
    const client = await openClient(input)
    const { id } = await findMember(input, client)
    printMember(input, await client.members.edit(id, changes))
  },
}

const membersEnd: Command = {
  name: 'members end',
  parameters: ['MEMBER'],
  about:
    'Ends the access of a member now. A day later it is deleted, keeps its history, and can be restored.',
  options: place,
  async run(input) {
    const client = await openClient(input)
    const { id } = await findMember(input, client)
    printMember(input, await endAccess(client, id))
  },
}

const membersDelete: Command = {
  name: 'members delete',
  parameters: ['MEMBER'],
  about: 'Deletes a member. Deleted members can be restored.',
  options: place,
  async run(input) {
    const client = await openClient(input)
    const { id } = await findMember(input, client)
    printMember(input, await client.members.delete(id))
  },
}

export const memberCommands: readonly Command[] = [
  membersList,
  membersGet,
  membersCreate,
  membersEdit,
  membersEnd,
  membersDelete,
]

function findMember({ parameters }: Input, client: Client): Promise<Member> {
  const [wanted = ''] = parameters
  return findByName(client.members, { prefix: 'mem_', what: 'member', wanted })
}

async function findGroups(input: Input, client: Client): Promise<string[]> {
  const ids: string[] = []
  for (const wanted of input.texts('group'))
    ids.push((await findByName(client.member_groups, { prefix: 'mg_', what: 'group', wanted })).id)
  return ids
}

function readPeriod(input: Input): { starts_at?: string; ends_at?: string } {
  const [start, end] = [input.text('from'), input.text('until')]
  return {
    ...(start !== undefined && { starts_at: readTime('from', start, 'future') }),
    ...(end !== undefined && { ends_at: readTime('until', end, 'future') }),
  }
}

function formatMember({ id, name, starts_at, ends_at, group_associations }: Member & Grouped): string[] {
  const groups = group_associations.map(({ member_group }) => member_group.name)
  return [id, name ?? '', formatOptional(starts_at), formatOptional(ends_at), groups.join(', ')]
}

function formatOptional(time: string | null): string {
  return time === null ? '' : formatTime(time)
}

function printMember(input: Input, member: Member, groups?: string): void {
  if (input.flag('json')) {
    input.print(JSON.stringify(member))
    return
  }
  const lines = [
    ['ID', member.id],
    ['Name', member.name ?? ''],
    ['From', formatOptional(member.starts_at)],
    ['Until', formatOptional(member.ends_at)],
    ['Groups', groups ?? ''],
    ['Deleted', member.is_deleted ? 'yes' : ''],
  ]
  for (const [label = '', value] of lines) if (value) input.print(`${label.padEnd(7)}${value}`)
}
