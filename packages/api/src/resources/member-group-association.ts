import { one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { reference, timestamp } from '../kit/scalars.ts'

const validity = {
  create: 'optional',
  edit: true,
  nullable: true,
  sort: true,
  filter: 'compare',
  engine: true,
  slice: true,
} as const

export const memberGroupAssociation = resource({
  kind: 'member_group_association',
  plural: 'member_group_associations',
  path: '/group_associations',
  parent: 'member',
  about: 'Puts a member into a group. Leave the dates empty except for short-term extra access.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  expands: { member: one('member'), member_group: one('member_group') },
  policy: { rows: 'associations' },
  fields: {
    ...identity('member_group_association'),
    member_id: field(reference('member'), { about: 'Who.', engine: true }),
    member_group_id: field(reference('member_group'), {
      about: 'The group.',
      create: 'required',
      engine: true,
      slice: true,
    }),
    starts_at: field(timestamp, { about: 'When the association starts. Null for no limit.', ...validity }),
    ends_at: field(timestamp, { about: 'When the association ends. Null for no limit.', ...validity }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
