import { expect, it } from 'vitest'
import { digestEvent, firstHash, nextHash } from '../src/audit/chain.ts'

const salt = Buffer.from(Array.from({ length: 16 }, (_, index) => index))
const event = {
  id: 'evt_06fw6e1g40000000000a',
  organization_id: 'org_06fw6e1g40000000000b',
  verb: 'create',
  clock_adjusted: false,
  subject: { access_method: 'pin' },
  recorded_at: '2026-11-14T09:30:00.123456Z',
  created_at: '2026-11-14T09:29:00.000000Z',
  object: {
    type: 'access_denial',
    site_id: 'site_1',
    reason: 'outside_schedule',
    device_id: 'dev_1',
    aé: 'Tür "1"\n',
  },
  explanation: { allowed: false, rules: [{ rule_index: 2, z: 1.5, a: [1, null, 'x'] }] },
}
const digest = 'f700093b7e073d0104ae88a3f5a24ef43d6e13d81924e97e6211214a1aeb6aac'

// Chains that an older release sealed must still verify.
it('digests an event as it always did', () => {
  expect(digestEvent(salt, event).toString('hex')).toBe(digest)
  expect(nextHash(firstHash('org_x'), 7, event.id, Buffer.from(digest, 'hex')).toString('hex')).toBe(
    '0aa1d9d95cfc78453e8738d620a2a29766b468be9bb8535a1b5135d05bfaea5a',
  )
})

it('does not depend on the order of keys, on nulls, or on fields beside those of the log', () => {
  const told = Object.fromEntries(Object.entries(event).toReversed())
  const subject = { member_id: null, card_id: undefined, access_method: 'pin' }
  const object = Object.fromEntries(Object.entries(event.object).toReversed())
  const explanation = { next_allowed_at: null, ...event.explanation }
  const read = { ...told, subject, object, explanation, expanded: { site: {} } }
  expect(digestEvent(salt, read).toString('hex')).toBe(digest)
})

it('differs in every part of an event', () => {
  const parts = Object.keys(event) as (keyof typeof event)[]
  for (const part of parts)
    expect(digestEvent(salt, { ...event, [part]: 'other' }).toString('hex')).not.toBe(digest)
})
