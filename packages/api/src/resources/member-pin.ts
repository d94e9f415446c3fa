import { one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, flag, integer, reference, text, timestamp } from '../kit/scalars.ts'
import { suspendableCredential } from './suspension.ts'

export const pinDigits = text(20, { min: 4, pattern: /^[0-9]{4,20}$/, expected: '4 to 20 digits' })

export const memberPin = resource({
  kind: 'member_pin',
  plural: 'member_pins',
  path: '/pins',
  parent: 'member',
  about: "A PIN for keypads, unique among the organization's active PINs.",
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  expands: { member: one('member') },
  reveals: { pin: field(pinDigits, { personal: 'secret', about: 'The digits.', example: '402917' }) },
  actions: {
    reveal: {
      method: 'POST',
      path: '/reveal',
      about: 'Returns the digits again. Recorded as a `reveal` event.',
      scope: 'write',
      answer: 'revealed',
    },
  },
  policy: { rows: 'credentials', kind: 'pin' },
  fields: {
    ...identity('member_pin'),
    member_id: field(reference('member'), { about: 'The member it belongs to.', engine: true }),
    length: field(integer(4, 20), {
      about: 'Number of digits. Defaults to the shortest safe length.',
      example: 6,
      create: 'optional',
    }),
    pin: field(pinDigits, {
      personal: 'secret',
      about: 'The digits, if you want to set them yourself. Random by default.',
      example: '402917',
      create: 'optional',
      body_only: true,
    }),
    pin_ciphertext: field(bytes, { about: 'The encrypted digits.', hidden: true, slice: 'hashed' }),
    pin_hash: field(bytes, { about: 'Keyed hash by which the PIN is found.', hidden: true }),
    is_claimed: field(flag, {
      about: 'True while neither the PIN nor the member is deleted, so that its digits are taken.',
      hidden: true,
      initial: true,
    }),
    ...suspendableCredential(),
    last_used_at: field(timestamp, { about: 'When it was last used.', nullable: true }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
