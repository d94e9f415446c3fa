import { doorTemplates } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { issueAccessToken } from '@gatehouse-access/server'
import { compiled, type World, world } from '@gatehouse-access/testkit'
import { InMemoryTransport, Client as McpClient } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMcpServer } from '../src/mcp/server.ts'
import { main } from './gatehouse.ts'

let w: World
let client: Client
let door: { id: string }

beforeAll(async () => {
  w = await world()
  ;({ client } = await w.tenant('Office'))
  const site = await client.sites.create({ name: 'Berlin', timezone: 'Europe/Berlin' })
  const device = await client.devices.create({ name: 'Lobby', site_id: site.id, product_id: 'controller' })
  const body = { device_id: device.id, ...structuredClone(doorTemplates.holdable) }
  door = await client.gadgets.create({ name: 'Server room', ...body })
  await client.member_groups.create({ name: 'Guests', permissions: [] })
  const staff = await client.member_groups.create({ name: 'Staff', permissions: [{ gadget_id: door.id }] })
  await client.grants.create({ member: { name: 'Dora Diaz' }, member_group_ids: [staff.id] })
})
afterAll(() => w[Symbol.asyncDispose]())

/** An assistant that is connected to the tools. */
async function assistant(allow_writes: boolean) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createMcpServer(client, { allow_writes }).connect(far)
  const asking = new McpClient({ name: 'test', version: '1' })
  await asking.connect(near)
  return {
    tools: async () => (await asking.listTools()).tools,
    async ask(name: string, given: Record<string, unknown> = {}) {
      const { isError, content, structuredContent } = await asking.callTool({ name, arguments: given })
      const [first] = content as { text: string }[]
      return isError ? { error: first?.text ?? '' } : (structuredContent as Record<string, unknown>)
    },
    [Symbol.asyncDispose]: () => asking.close(),
  }
}

test('without leave, there are only tools that read', async () => {
  await using reader = await assistant(false)
  const tools = await reader.tools()
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['why_denied', 'who_can_open', 'list_doors', 'list_members', 'list_alarms']),
  )
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
  const refused = await reader.ask('open_door', { door: 'Server room' }).catch(error => ({
    error: error.message,
  }))
  expect(refused).toMatchObject({ error: expect.stringContaining('open_door') })
  expect((await client.events.list({ 'object.type': 'gadget_action' })).data).toEqual([])
})

test('an assistant finds out why somebody was denied, and who can open a door', async () => {
  const [ana] = await Promise.all(['Ana Alonso', 'Bo Berg'].map(name => client.members.create({ name })))
  await client.gadgets.execute_as_member(door.id, 'open', { member_id: ana?.id ?? '' }).catch(() => undefined)
  await client.member_emails.create(ana?.id ?? '', { email: 'ana@example.com' })
  await using reader = await assistant(false)
  for (const query of ['alonso', 'Ana@example.com'])
    expect(await reader.ask('list_members', { query })).toMatchObject({ members: [{ name: 'Ana Alonso' }] })
  expect(await reader.ask('why_denied', { member: 'alonso' })).toMatchObject({
    member: { name: 'Ana Alonso' },
    denials: [{ reason: 'no_association', door: 'Server room' }],
    now: { door: 'Server room', allowed: false, reason: 'no_association' },
  })
  expect(await reader.ask('who_can_open', { door: 'server room' })).toMatchObject({
    members: [{ name: 'Dora Diaz' }],
  })
  expect(await reader.ask('what_can_member_open', { member: 'Dora Diaz' })).toMatchObject({
    doors: [{ name: 'Server room', action: 'open' }, {}, {}],
  })
  expect(await reader.ask('list_events', { member: 'Ana Alonso', denied: true })).toMatchObject({
    events: [{ type: 'access_denial', door: 'Server room' }],
  })
  expect(await reader.ask('list_doors')).toMatchObject({
    doors: [{ name: 'Server room', site: 'Berlin', timezone: 'Europe/Berlin', mode: 'controlled' }],
  })
  expect(await reader.ask('list_alarms', { open: true })).toEqual({ alarms: [] })
  await client.members.create({ name: 'Ana Arndt' })
  expect(await reader.ask('why_denied', { member: 'Ana' })).toMatchObject({
    error: expect.stringMatching(/^2 members are called Ana: .*Ana A\w+ mem_\w+/),
  })
  expect(await reader.ask('why_denied', { member: 'Nobody' })).toEqual({
    error: 'There is no member called Nobody.',
  })
})

test('with leave, it gives a guest access until Sunday, opens a door and ends access', async () => {
  await using writer = await assistant(true)
  const until = new Date(Date.parse(w.clock.now()) + 3 * 86_400_000).toISOString()
  const guest = await writer.ask('give_guest_access', { name: 'Cleo Cruz', groups: ['guests'], until })
  expect(guest).toMatchObject({
    name: 'Cleo Cruz',
    groups: ['Guests'],
    pin: expect.stringMatching(/^\d+$/),
    link: expect.stringContaining('http'),
  })
  expect(await writer.ask('give_guest_access', { name: 'X', groups: [], until })).toMatchObject({
    error: expect.stringContaining('at least one group'),
  })
  expect(await writer.ask('open_door', { door: 'Server room' })).toMatchObject({ opened: true })
  expect(await writer.ask('list_events', { door: 'Server room', limit: 1 })).toMatchObject({
    events: [{ type: 'gadget_action', action: 'open' }],
  })
  const { ends_at } = await writer.ask('end_access', { member: 'Cleo Cruz' })
  expect(Date.parse(String(ends_at))).toBeLessThanOrEqual(Date.now())
  const ends = (await writer.tools()).find(({ name }) => name === 'end_access')
  expect(ends?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
})

test.each([
  { command: 'mcp', opens: false },
  { command: 'mcp --allow-writes', opens: true },
])('as a process, $command speaks the protocol, and ends with its input', async ({ command, opens }) => {
  const { organization_id, oauth_application_id } = await w.tenant('Elsewhere')
  const { context } = w.server
  const scopes = ['full_read_only']
  const token = await issueAccessToken(context, { organization_id, oauth_application_id, scopes })
  const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiled, GATEHOUSE_URL: w.url }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, ...command.split(' ')],
    env: { ...env, GATEHOUSE_API_KEY: token },
  })
  const asking = new McpClient({ name: 'test', version: '1' })
  await asking.connect(transport, { timeout: 240_000 })
  const { structuredContent } = await asking.callTool({ name: 'list_groups', arguments: {} })
  expect(structuredContent).toEqual({ groups: [], has_more: false })
  const { tools } = await asking.listTools()
  expect(tools.some(({ name }) => name === 'open_door')).toBe(opens)
  await asking.close()
})
