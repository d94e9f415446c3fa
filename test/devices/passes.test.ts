import { createPublicKey, verify } from 'node:crypto'
import { passPayload, splitPass } from '@gatehouse/api'
import { addSeconds } from '@gatehouse/core'
import { issuePass } from '@gatehouse/server'
import { world } from '@gatehouse/testkit'
import { expect, test } from 'vitest'
import { building, guest } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const spki = Buffer.from('302a300506032b6570032100', 'hex')

test('a device verifies a pass with the keys of its slice', async () => {
  await using w = await world()
  const tenant = await w.tenant()
  const place = await building(w, tenant)
  const { member } = await guest(tenant, place.group.id, '402940')
  const device = await ScriptedDevice.connect(place.credentials)
  const { pass_keys } = await device.next('snapshot_begin')
  const now = w.clock.now()
  const { pass, expires_at } = issuePass(w.server.context, {
    member_id: member.id,
    device_id: place.device.id,
    seconds: 7 * 86_400,
  })
  const { signed, payload, signature } = splitPass(pass) ?? { signed: '', payload: '', signature: '' }
  const told = passPayload.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()), '')
  expect(told).toMatchObject({ member_id: member.id, device_id: place.device.id, expires_at })
  expect(told.expires_at <= addSeconds(told.issued_at, 86_400) && told.issued_at >= now).toBe(true)
  const raw = Buffer.from(pass_keys.find(({ id }) => id === told.key_id)?.public_key ?? '', 'base64url')
  const key = createPublicKey({ key: Buffer.concat([spki, raw]), format: 'der', type: 'spki' })
  const isSigned = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  expect(isSigned(signed)).toBe(true)
  expect(isSigned(`${signed}x`)).toBe(false)
  expect(splitPass(`${pass}.x`)).toBeUndefined()
  await device.close()
})
