import { last, many } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { flag, reference, text, timestamp } from '../kit/scalars.ts'

export const uid = text(20, {
  pattern: /^([0-9A-Fa-f]{8}|[0-9A-Fa-f]{14}|[0-9A-Fa-f]{20})$/,
  expected: 'a card UID of 4, 7 or 10 bytes in hex',
  normalize: value => value.toUpperCase(),
})
export const printedCode = text(255)

export const card = resource({
  kind: 'card',
  plural: 'cards',
  path: '/cards',
  about: 'A physical card known to the organization.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name', 'printed_code'] },
  filters: {
    member_group_id: {
      type: reference('member_group'),
      about: 'Cards of members of this group, including those whose time in it is over or has not started.',
      operator: 'equal',
      through: { kind: 'member_group_association', column: 'member_group_id', held_as: 'member_card' },
    },
    site_id: {
      type: reference('site'),
      about:
        'Cards of the members that `site_id` finds in the list of members: those of groups that reach this site.',
      operator: 'equal',
      through: {
        kind: 'member_group_association',
        column: 'member_group_id',
        reaches: 'site',
        held_as: 'member_card',
      },
    },
    tag_id: {
      type: reference('tag'),
      about: 'Cards of members that have this tag.',
      operator: 'equal',
      through: { kind: 'member', column: 'tag_ids', held_as: 'member_card' },
    },
    is_given: {
      type: flag,
      about: 'Whether a member has it.',
      operator: 'equal',
      computed: true,
    },
    is_suspended: {
      type: flag,
      about: 'Whether a member has it and it is suspended.',
      operator: 'equal',
      computed: true,
    },
  },
  expands: {
    member_cards: many('member_card', 'card_id'),
    last_member_card: last('member_card', 'card_id'),
  },
  fields: {
    ...identity('card'),
    id: field(reference('card'), {
      about:
        'Unique identifier of the card. When creating, an ID adopts a card from the stock. A create needs at least one of id, uid and printed_code.',
      create: 'optional',
      sort: true,
    }),
    name: nameField({
      about: 'Name of the card in the organization.',
      create: 'optional',
      nullable: true,
      example: 'Staff card 12',
    }),
    uid: field(uid, {
      personal: 'technical',
      about: 'ISO 14443 UID, hex.',
      slice: 'hashed',
      example: '04A1B2C3D4E5F6',
      create: 'optional',
      nullable: true,
      filter: 'equal',
      sort: true,
    }),
    printed_code: field(printedCode, {
      personal: 'technical',
      about: 'Unique code printed on the card.',
      example: 'GH-000123',
      create: 'optional',
      nullable: true,
      filter: 'equal',
      sort: true,
    }),
    is_lost: field(flag, {
      about:
        'True: nobody has it any more. It is taken from its member at once, at connected doors within a second, and cannot be given to anybody until it is found: false.',
      edit: true,
      initial: false,
      filter: 'equal',
    }),
    lost_at: field(timestamp, {
      about: 'When it was reported lost. Null while it is not lost.',
      nullable: true,
    }),
    lost_reason: field(text(500), {
      personal: 'free',
      about: 'How it was lost, for administrators. Needs `is_lost`, and goes with it.',
      example: null,
      edit: true,
      nullable: true,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
