import { randomBytes } from 'node:crypto'
import { quickest, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { building } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

type Place = Awaited<ReturnType<typeof building>>
type Message = { readonly type: string; readonly [name: string]: unknown }

function open(gadget_id: string): Promise<Response> {
  return fetch(`${w.url}/v2/gadgets/${gadget_id}/actions/open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.token}` },
  })
}

async function usesOf(gadget_id: string) {
  return (await tenant.client.events.list({ 'object.gadget_id': gadget_id, verb: 'use' })).data
}

/** Registers another process in the database. The test plays its role. */
async function otherProcess(speaks?: number) {
  const { db } = w.server.context
  const id = randomBytes(9).toString('hex')
  await db.query(
    `INSERT INTO device_processes (id, alive_until, speaks) VALUES ($1, now() + interval '1 minute', coalesce($2, 1))`,
    [id, speaks ?? null],
  )
  return {
    id,
    async hold({ device }: Place): Promise<string> {
      const connection_id = randomBytes(12).toString('base64url')
      await db.query(
        `INSERT INTO device_connections (organization_id, device_id, connection_id, process_id, connected_at) VALUES ($1, $2, $3, $4, now())`,
        [tenant.organization_id, device.id, connection_id, id],
      )
      return connection_id
    },
    listen: (hear: (message: Message) => void) =>
      db.listen(`gatehouse_devices_${id}`, payload => hear(JSON.parse(payload))),
    send: (process: string, message: object) =>
      db.query('SELECT pg_notify($1, $2)', [`gatehouse_devices_${process}`, JSON.stringify(message)]),
  }
}

async function holderOf({ device }: Place) {
  const [row] = await w.server.context.db.query<{ process_id: string; connection_id: string }>(
    'SELECT process_id, connection_id FROM device_connections WHERE device_id = $1',
    [device.id],
  )
  if (!row) throw new Error('nobody holds the device')
  return row
}

const commandFor = ({ device, door }: Place, id: string) => ({
  type: 'command',
  device_id: device.id,
  id,
  gadget_id: door.id,
  action_id: 'open',
  deadline: new Date(Date.now() + 10_000).toISOString(),
})

test('a command for a device of a process that was killed: 409 within 2 s, and it is never handed on', async () => {
  const place = await building(w, tenant)
  const killed = await otherProcess(2)
  await killed.hold(place)
  const tryToOpen = async () => {
    const begin = performance.now()
    const answer = await open(place.door.id)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ type: 'hardware_offline' })
    return performance.now() - begin
  }
  expect(await quickest(2000, tryToOpen)).toBeLessThan(2000)
  const rows = await w.server.context.db.query('SELECT 1 FROM device_commands WHERE device_id = $1', [
    place.device.id,
  ])
  expect(rows).toEqual([])
})

test('a process that hears of a command late finds that it was taken back', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const { process_id, connection_id } = await holderOf(place)
  const asking = await otherProcess(2)
  const frame = commandFor(place, 'cmd_taken-back-0000')
  const message = {
    type: 'command',
    organization_id: tenant.organization_id,
    connection_id,
    reply_to: asking.id,
  }
  await asking.send(process_id, { ...message, frame, is_marked: true })
  await asking.send(process_id, { type: 'something_new', frame })
  const another = commandFor(place, 'cmd_of-an-old-process')
  await asking.send(process_id, { ...message, frame: another })
  expect((await device.next('command')).id).toBe(another.id)
  expect(device.received.filter(({ type }) => type === 'command')).toEqual([])
  await device.close()
})

test('a process of the first version holds the device: the command is done, and its event is there once', async () => {
  const place = await building(w, tenant)
  const old = await otherProcess()
  await old.hold(place)
  await old.listen(({ type, reply_to, frame }) => {
    const { id } = frame as { id: string }
    if (type === 'command') void old.send(String(reply_to), { type: 'outcome', id, outcome: 'done' })
  })
  expect((await open(place.door.id)).status).toBe(200)
  expect(await usesOf(place.door.id)).toHaveLength(1)
})

test('a process of the first version asks for a device that is connected here', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const { process_id, connection_id } = await holderOf(place)
  const old = await otherProcess()
  const heard: Message[] = []
  await old.listen(message => void heard.push(message))
  const frame = commandFor(place, 'cmd_of-the-first-version')
  await old.send(process_id, { type: 'command', reply_to: old.id, connection_id, frame })
  await expect.poll(() => heard).toMatchObject([{ type: 'outcome', id: frame.id, outcome: 'done' }])
  const gone = commandFor(place, 'cmd_to-nobody-there')
  await old.send(process_id, { type: 'command', reply_to: old.id, connection_id: 'gone', frame: gone })
  await expect.poll(() => heard[1]).toMatchObject({ type: 'outcome', id: gone.id, outcome: 'offline' })
  await device.close()
})
