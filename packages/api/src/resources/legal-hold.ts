import { list } from '../kit/compounds.ts'
import { all } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { reference, text, timestamp } from '../kit/scalars.ts'

const given = { create: 'optional', edit: true, nullable: true } as const

export const legalHold = resource({
  kind: 'legal_hold',
  plural: 'legal_holds',
  path: '/legal_holds',
  about:
    'Keeps what a legal matter needs: nothing that it covers is erased or expires. Only owners set one, signed in to the console.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  restorable: false,
  search: { fields: ['name'] },
  expands: { members: all('member', 'member_ids'), gadgets: all('gadget', 'gadget_ids') },
  fields: {
    ...identity('legal_hold'),
    name: nameField({ about: 'What it is about.', create: 'required', example: 'Water damage of 3 May' }),
    reference: field(text(64), {
      personal: 'free',
      about: 'The number of the case.',
      example: 'AZ 3 O 117/26',
      ...given,
    }),
    member_ids: field(list(reference('member'), { min: 1, max: 1000, unique: true }), {
      about: 'Only what is about these members. Null: about anybody.',
      example: null,
      ...given,
    }),
    gadget_ids: field(list(reference('gadget'), { min: 1, max: 1000, unique: true }), {
      about: 'Only what happened at these gadgets. Null: anywhere.',
      example: null,
      ...given,
    }),
    starts_at: field(timestamp, { about: 'Only what happened at this time or later.', ...given }),
    ends_at: field(timestamp, { about: 'Only what happened before this time.', ...given }),
    expires_at: field(timestamp, {
      about: 'When the hold ends, at most 5 years ahead.',
      example: '2027-06-01T00:00:00.000000Z',
      create: 'required',
      edit: true,
      sort: true,
      filter: 'compare',
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
