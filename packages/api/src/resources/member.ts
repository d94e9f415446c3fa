import { list, optional, required, shape } from '../kit/compounds.ts'
import { all, many } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, language, reference, text, timestamp } from '../kit/scalars.ts'
import { accessQuery } from './access.ts'
import { eraseAction, erasureAnswer } from './erasure.ts'
import { history } from './history.ts'
import { dataExport } from './member-data.ts'
import { emailSearch } from './member-email.ts'
import { suspendable } from './suspension.ts'
import { memberSync } from './sync.ts'
import { tagIds } from './tag.ts'

/** The languages of the guest page and of emails to guests. */
export const guestLanguages = ['en', 'es', 'de', 'fr', 'it', 'pt', 'ar'] as const
export type GuestLanguage = (typeof guestLanguages)[number]

/** Languages whose speakers mostly read one of the supported languages. */
const neighbours: Readonly<Record<GuestLanguage, readonly string[]>> = {
  en: [],
  es: ['an', 'ast', 'ca', 'eu', 'gl'],
  de: ['bar', 'gsw', 'lb', 'nds'],
  fr: ['br', 'co', 'oc', 'wa'],
  it: ['fur', 'nap', 'sc', 'scn', 'vec'],
  pt: ['mwl'],
  ar: ['acm', 'apc', 'arq', 'ary', 'arz'],
}

/** Returns the supported language closest to a BCP 47 tag; English when none is close. */
export function nearestGuestLanguage(tag: string | null | undefined): GuestLanguage {
  const spoken = tag?.toLowerCase().split('-')[0] ?? ''
  return guestLanguages.find(ours => ours === spoken || neighbours[ours].includes(spoken)) ?? 'en'
}

const validity = {
  create: 'optional',
  edit: true,
  nullable: true,
  sort: true,
  filter: 'compare',
  engine: true,
  slice: true,
} as const

export const member = resource({
  kind: 'member',
  plural: 'members',
  path: '/members',
  about: 'A person or reservation with access.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  metadata_sorts: ['source', 'sourceID'],
  policy: { rows: 'members' },
  filters: {
    email: {
      type: emailSearch,
      about: 'Members that have this email, compared in lower case.',
      operator: 'equal',
      through: { kind: 'member_email', column: 'email_key' },
    },
    member_group_id: {
      type: reference('member_group'),
      about: 'Members of this group, including those whose time in it is over or has not started.',
      operator: 'equal',
      through: { kind: 'member_group_association', column: 'member_group_id' },
    },
    site_id: {
      type: reference('site'),
      about:
        'Members of groups with a rule that reaches a gadget of this site, whenever and by whatever method, including those whose time in the group is over or has not started.',
      operator: 'equal',
      through: { kind: 'member_group_association', column: 'member_group_id', reaches: 'site' },
    },
  },
  removed_fields: {
    type: 'members have no type since version 2',
    email: 'emails moved to POST /members/{member_id}/emails',
    member_group_ids: 'groups moved to POST /members/{member_id}/group_associations',
  },
  expands: {
    emails: many('member_email', 'member_id'),
    magic_links: many('member_magic_link', 'member_id'),
    pins: many('member_pin', 'member_id'),
    cards: many('member_card', 'member_id'),
    tokens: many('member_token', 'member_id'),
    group_associations: many('member_group_association', 'member_id'),
    tags: all('tag'),
  },
  actions: {
    history,
    data_export: dataExport,
    erase: { ...eraseAction, answer: shape(erasureAnswer) },
    invite: {
      method: 'POST',
      path: '/invitations',
      about:
        "Emails an invitation to the member, in the member's language. It contains the member's link and PIN, or instructions to sign in if there are none. Each call sends it again.",
      scope: 'write',
      body: {
        member_email_ids: optional(
          list(reference('member_email'), { min: 1, max: 20, unique: true }),
          "Which of the member's addresses to use. Defaults to all.",
        ),
        language: optional(language, "A language other than the member's, as a BCP 47 tag."),
      },
      answer: shape({
        member_email_ids: required(
          list(reference('member_email'), { max: 20 }),
          'The addresses that the email is sent to.',
        ),
        language: required(choice(...guestLanguages), 'The language of the email.'),
      }),
    },
    access: {
      method: 'GET',
      does: 'query',
      path: '/access',
      about: 'Lists the gadget actions that the member can use.',
      scope: 'read',
      query: accessQuery,
      answer: { page_of: 'gadget_access' },
    },
    sync: {
      method: 'GET',
      does: 'query',
      path: '/sync',
      about:
        "Returns which devices have confirmed the member's dates, associations, PINs and cards, and which have not yet.",
      scope: 'read',
      answer: memberSync,
    },
  },
  fields: {
    ...identity('member'),
    name: nameField({
      personal: 'identity',
      about: 'Label for administrators. The guest page never shows it.',
      create: 'optional',
      nullable: true,
      example: 'Reservation R-1001',
    }),
    external_id: field(text(255), {
      personal: 'identity',
      about: 'Your own key, as given to `POST /grants`.',
      nullable: true,
      filter: 'equal',
    }),
    starts_at: field(timestamp, {
      about: 'When access starts. Null for immediately.',
      example: '2026-12-01T14:00:00.000000Z',
      ...validity,
    }),
    ends_at: field(timestamp, {
      about: 'When access ends. Null for never.',
      example: '2026-12-05T11:00:00.000000Z',
      ...validity,
    }),
    ...suspendable('True while the member is refused at every door, except by actions that let people out.'),
    language: field(language, {
      personal: 'contact',
      about:
        'Language of emails to the member, as a BCP 47 tag. The closest available language is used. Null for English.',
      example: 'es',
      create: 'optional',
      edit: true,
      nullable: true,
      filter: 'equal',
    }),
    auto_delete_at: field(timestamp, {
      about: 'When the service deletes it automatically.',
      hidden: true,
      nullable: true,
    }),
    desk_site_ids: field(list(reference('site'), { max: 1000 }), {
      about: 'The sites whose front desk created it.',
      hidden: true,
      nullable: true,
    }),
    tag_ids: tagIds('member'),
    erased_at: field(timestamp, {
      about: 'When it was erased. Everything else about it is then gone, and it cannot be restored.',
      nullable: true,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
