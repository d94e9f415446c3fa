import { one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, reference, timestamp, url } from '../kit/scalars.ts'
import { suspendableCredential } from './suspension.ts'

const { is_deleted, created_at } = lifecycle()

export const memberMagicLink = resource({
  kind: 'member_magic_link',
  plural: 'member_magic_links',
  path: '/magic_links',
  parent: 'member',
  about: "A link that gives anyone who opens it the member's access.",
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  restorable: false,
  expands: { member: one('member') },
  reveals: {
    link: field(url, {
      personal: 'secret',
      about: 'The link. Opening it gives immediate access.',
      example: 'https://access.example.com/guest#mml_06gxjs3e7dds3ssctgw6_Yb0PfGdE3uVxAaKiSoMqYw',
    }),
  },
  actions: {
    reveal: {
      method: 'POST',
      path: '/reveal',
      about: 'Returns the link again. Recorded as a `reveal` event.',
      scope: 'write',
      answer: 'revealed',
    },
  },
  policy: { rows: 'credentials', kind: 'magic_link', carries_passes: true },
  fields: {
    ...identity('member_magic_link'),
    member_id: field(reference('member'), { about: 'The member it belongs to.', engine: true }),
    secret_ciphertext: field(bytes, { about: 'The encrypted secret.', hidden: true }),
    ...suspendableCredential(),
    last_used_at: field(timestamp, { about: 'When it was last used.', nullable: true }),
    is_deleted,
    created_at,
    metadata: metadataField(),
  },
})
