import { one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { email, reference, text, timestamp } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'
import { suspendableCredential } from './suspension.ts'

/** An address normalized for comparison. */
export const emailKey: Type<string> = {
  ...email,
  parse: (value, path) => email.parse(value, path).toLowerCase(),
}

/** The value that addresses are searched by. Text that is not an address matches nobody. */
export const emailSearch: Type<string> = {
  schema: { type: 'string' },
  column: email.column,
  parse: (value, path) => text(1000, { min: 0 }).parse(value, path).toLowerCase(),
}

export const memberEmail = resource({
  kind: 'member_email',
  plural: 'member_emails',
  path: '/emails',
  parent: 'member',
  about: 'An email address that a member signs in with. A member can have several.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['email'] },
  expands: { member: one('member') },
  policy: { rows: 'credentials', kind: 'email', carries_passes: true },
  fields: {
    ...identity('member_email'),
    member_id: field(reference('member'), { about: 'The member it belongs to.', engine: true }),
    email: field(email, {
      personal: 'contact',
      about: 'The address as given. Compared in lower case.',
      example: 'guest@example.com',
      create: 'required',
      sort: true,
    }),
    email_key: field(emailKey, { personal: 'contact', about: 'The address in lower case.', hidden: true }),
    ...suspendableCredential(),
    last_used_at: field(timestamp, { about: 'When it was last used.', nullable: true }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
