import { createPublicKey, verify } from 'node:crypto'
import { passPayload, splitPass } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { issuePass } from '@gatehouse-access/server'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { Phone } from '../stories/guest.ts'
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

test('a pass names the link it was fetched with, and devices hear when that is deleted', async () => {
  await using w = await world()
  const tenant = await w.tenant()
  const { client } = tenant
  const place = await building(w, tenant)
  const { member } = await guest(tenant, place.group.id, '402941')
  const first = await client.member_magic_links.create(member.id, {})
  const second = await client.member_magic_links.create(member.id, {})
  const phone = new Phone(w)
  await phone.enter(first.link)
  const { body } = await phone.ask<{ pass: string }>('POST', `/devices/${place.device.id}/passes`)
  const payload = Buffer.from(splitPass(body.pass)?.payload ?? '', 'base64url').toString()
  expect(passPayload.parse(JSON.parse(payload), '')).toMatchObject({
    member_id: member.id,
    credential_id: first.id,
  })

  const device = await ScriptedDevice.connect(place.credentials)
  await device.next('snapshot_end')
  expect(device.member(member.id)?.revoked).toBeUndefined()
  await client.member_magic_links.delete(member.id, first.id)
  await device.until(it => it.member(member.id)?.revoked?.length === 1)
  expect(device.member(member.id)?.revoked).toEqual([first.id])
  await device.close()

  await client.member_magic_links.delete(member.id, second.id)
  const again = await ScriptedDevice.connect(place.credentials, device)
  await again.until(it => it.member(member.id)?.revoked?.length === 2)
  const anew = await ScriptedDevice.connect(place.credentials)
  await anew.next('snapshot_end')
  expect(anew.member(member.id)?.revoked).toEqual([second.id, first.id])
  await anew.close()
})
