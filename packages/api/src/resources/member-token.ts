import { one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, reference, text, timestamp } from '../kit/scalars.ts'
import { suspendableCredential } from './suspension.ts'

const { is_deleted, created_at } = lifecycle()

export const memberToken = resource({
  kind: 'member_token',
  plural: 'member_tokens',
  path: '/tokens',
  parent: 'member',
  about: 'A bearer token for the member API, used with a mobile SDK.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  restorable: false,
  expands: { member: one('member') },
  reveals: {
    token: field(text(255), {
      personal: 'secret',
      about: 'The token. Shown only once.',
      example: 'ghm_4vJ8mQ2sX7kRz1Wc9LhTn5Yb0PfGdE3uVxAaKiSoMqY',
    }),
  },
  policy: { rows: 'credentials', kind: 'token', carries_passes: true },
  fields: {
    ...identity('member_token'),
    member_id: field(reference('member'), { about: 'The member it belongs to.', engine: true }),
    token_hash: field(bytes, { about: 'Hash by which the token is found.', hidden: true }),
    ...suspendableCredential(),
    last_used_at: field(timestamp, { about: 'When it was last used.', nullable: true }),
    is_deleted,
    created_at,
    metadata: metadataField(),
  },
})
