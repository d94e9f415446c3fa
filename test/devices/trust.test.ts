import { deviceLimits } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { building, guest } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

describe('a secret', () => {
  test('works only for its own hardware id', async () => {
    const [first, second] = [await building(w, tenant), await building(w, tenant)]
    const { hardware_id } = first.credentials
    for (const wrong of [
      { ...second.credentials, hardware_id },
      { ...first.credentials, secret: `${first.credentials.secret}x` },
      { ...first.credentials, hardware_id: 'hw_NOBODY-1' },
      { ...first.credentials, secret: '' },
    ])
      await expect(ScriptedDevice.open(wrong)).rejects.toThrow('status 401')
  })

  test('is rotated at once: the connection ends, the old one is worth nothing', async () => {
    const place = await building(w, tenant)
    const device = await ScriptedDevice.connect(place.credentials)
    const { secret } = await tenant.client.devices.issue_credentials(place.device.id)
    expect(await device.closed).toEqual({ code: 4401, reason: 'unauthenticated' })
    await expect(ScriptedDevice.open(place.credentials)).rejects.toThrow('status 401')
    const again = await ScriptedDevice.connect({ ...place.credentials, secret })
    await again.close()
  })

  test('is revoked at once, and the answer lists the PINs that the device knew', async () => {
    const place = await building(w, tenant)
    const { member, pin } = await guest(tenant, place.group.id, '402918')
    const device = await ScriptedDevice.connect(place.credentials)
    const answer = await tenant.client.devices.revoke_credentials(place.device.id)
    expect(answer).toMatchObject({
      id: place.device.id,
      exposed_pin_count: 1,
      exposed_pins: [{ member_pin_id: pin.id, member_id: member.id }],
    })
    expect(await device.closed).toEqual({ code: 4401, reason: 'unauthenticated' })
    await expect(ScriptedDevice.open(place.credentials)).rejects.toThrow('status 401')
  })

  test('of a deleted device is worth nothing', async () => {
    const place = await building(w, tenant)
    const device = await ScriptedDevice.connect(place.credentials)
    await fetch(`${w.url}/v2/devices/${place.device.id}?cascade=true`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tenant.token}` },
    })
    expect(await device.closed).toEqual({ code: 4401, reason: 'unauthenticated' })
    await expect(ScriptedDevice.open(place.credentials)).rejects.toThrow('status 401')
  })

  test('that was revoked stores no event, also when the closing comes late', async () => {
    const place = await building(w, tenant)
    const device = await ScriptedDevice.connect(place.credentials)
    await w.server.context.db.query('UPDATE devices SET secret_hash = NULL WHERE id = $1', [place.device.id])
    device.events([
      { type: 'signal', occurred_at: w.clock.now(), gadget_id: place.door.id, signal_id: 'bell' },
    ])
    expect((await device.closed).code).toBe(4401)
    const { data } = await tenant.client.events.list({
      'object.gadget_id': place.door.id,
      'object.type': 'gadget_signal',
    })
    expect(data).toEqual([])
  })
})

describe('a wrong message gets an error and a close, and nothing else', () => {
  const journal = { id: 'journal-1', last_sequence: 0 }
  const cases: [string, number, (device: ScriptedDevice) => unknown][] = [
    ['no JSON', 4400, () => '{"type":'],
    ['no object', 4400, () => '[]'],
    ['an unknown type', 4400, () => ({ type: 'open_sesame' })],
    ['an unknown field', 4400, device => ({ type: 'status', device_id: device.device_id, colour: 'red' })],
    [
      'a wrong value',
      4400,
      device => ({ type: 'status', device_id: device.device_id, battery_percent: 101 }),
    ],
    [
      'a key of the prototype',
      4400,
      () => '{"type":"ping","sent_at":"2026-01-01T00:00:00Z","__proto__":{"a":1}}',
    ],
    [
      'a foreign device',
      4404,
      () => ({ type: 'status', device_id: 'dev_00000000000000000000', mains_present: true }),
    ],
    ['a second hello', 4422, () => ({ type: 'hello', protocol: 1, journal })],
    [
      'nothing known of commands',
      4400,
      device => ({ type: 'outcome', device_id: device.device_id, id: 'x', outcome: 'done' }),
    ],
    [
      'a gap in events',
      4422,
      device => ({
        type: 'events',
        device_id: device.device_id,
        journal_id: 'journal-1',
        events: [
          {
            sequence: 2,
            type: 'signal',
            occurred_at: w.clock.now(),
            gadget_id: 'gad_00000000000000000000',
            signal_id: 'x',
          },
        ],
      }),
    ],
  ]

  test.each(cases)('%s: %i', async (_name, code, message) => {
    const place = await building(w, tenant)
    const device = await ScriptedDevice.connect(place.credentials)
    const wrong = message(device)
    device.socket.send(typeof wrong === 'string' ? wrong : JSON.stringify(wrong))
    const closing = await device.closed
    expect(closing.code).toBe(code)
    expect(await device.next('error')).toMatchObject({
      error: { type: closing.reason, message: expect.any(String) },
    })
  })

  test('a message over the limit: 1009', async () => {
    const place = await building(w, tenant)
    const device = await ScriptedDevice.connect(place.credentials)
    device.socket.send(
      JSON.stringify({
        type: 'resync',
        device_id: device.device_id,
        reason: 'x'.repeat(deviceLimits.message_bytes),
      }),
    )
    expect([1009, 4413]).toContain((await device.closed).code)
  })

  test('a binary frame: 4400', async () => {
    const place = await building(w, tenant)
    const device = await ScriptedDevice.connect(place.credentials)
    device.socket.send(Buffer.from('{}'))
    expect((await device.closed).code).toBe(4400)
  })

  test('another version of the protocol: 4426; another message before hello: 4422', async () => {
    const place = await building(w, tenant)
    const future = await ScriptedDevice.open(place.credentials)
    future.hello({ protocol: 2 })
    expect((await future.closed).code).toBe(4426)
    const rude = await ScriptedDevice.open(place.credentials)
    rude.send({ type: 'status', device_id: place.device.id, mains_present: true })
    expect((await rude.closed).code).toBe(4422)
    expect((await tenant.client.devices.get(place.device.id)).status).toMatchObject({
      online: false,
      mains_present: false,
    })
  })

  test('more messages than a device has reason to send: 4429', async () => {
    const place = await building(w, tenant)
    const device = await ScriptedDevice.connect(place.credentials)
    for (let count = 0; count < 1000; count++) device.send({ type: 'ping', sent_at: w.clock.now() })
    expect((await device.closed).code).toBe(4429)
  })
})

describe('a gateway', () => {
  test('carries devices, each with its own secret', async () => {
    const { client } = tenant
    const [main, lock] = [await building(w, tenant), await building(w, tenant)]
    const gateway = await ScriptedDevice.connect(main.credentials)
    const attach = (hardware_id: string, secret: string) =>
      gateway.send({ type: 'attach', hardware_id, secret, journal: { id: 'journal-2', last_sequence: 0 } })
    attach(lock.credentials.hardware_id, main.credentials.secret)
    expect(await gateway.next('attach_refused')).toMatchObject({ reason: 'unauthenticated' })
    const foreign = await building(w, await w.tenant('Others'))
    attach(foreign.credentials.hardware_id, foreign.credentials.secret)
    expect(await gateway.next('attach_refused')).toMatchObject({ reason: 'other_organization' })

    attach(lock.credentials.hardware_id, lock.credentials.secret)
    expect(await gateway.next('attached')).toMatchObject({
      device_id: lock.device.id,
      acknowledged_sequence: 0,
    })
    expect(await client.devices.get(lock.device.id)).toMatchObject({
      gateway_device_id: main.device.id,
      status: { online: true },
    })
    const { device_id } = await gateway.next('snapshot_end')
    const second = await gateway.next('snapshot_end')
    expect([device_id, second.device_id].sort()).toEqual([main.device.id, lock.device.id].sort())

    await client.devices.issue_credentials(lock.device.id)
    expect(await gateway.next('detached')).toMatchObject({
      device_id: lock.device.id,
      reason: 'unauthenticated',
    })
    await expect.poll(async () => (await client.devices.get(lock.device.id)).status.online).toBe(false)
    expect((await client.devices.get(main.device.id)).status.online).toBe(true)
    await gateway.close()
  })
})
