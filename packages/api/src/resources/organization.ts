import { required, shape } from '../kit/compounds.ts'
import { field, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { color, flag, reference } from '../kit/scalars.ts'
import { noPrivacy, privacy, privacyPending } from './privacy.ts'
import { privacyPreview, privacyRecord } from './privacy-record.ts'
import { activity, unused } from './reports.ts'

const { is_deleted, created_at } = lifecycle()

export const organization = resource({
  kind: 'organization',
  plural: 'organizations',
  path: '/organization',
  singleton: true,
  about: 'The customer that everything belongs to. A token gives access to exactly one organization.',
  verbs: ['get', 'edit'],
  restorable: false,
  actions: { privacy_record: privacyRecord, privacy_preview: privacyPreview, activity, unused },
  fields: {
    id: field(reference('organization'), { about: 'Unique identifier of the organization.' }),
    name: nameField({ example: 'Hotel Miramar' }),
    color: field(color, {
      personal: null,
      edit: true,
      nullable: true,
      about:
        'Color of its brand, `#rrggbb`, for the guest page. Made lighter or darker there where it would not be readable. Null for the colors of the page.',
      example: '#0b4f94',
    }),
    features: field(
      shape({ whitelabel: required(flag, 'True if gadget actions can be run directly, without a member.') }),
      {
        personal: null,
        about: 'Features that the operator has turned on for this organization.',
        example: { whitelabel: true },
      },
    ),
    privacy: field(privacy, {
      personal: null,
      edit: true,
      initial: noPrivacy,
      about:
        'How long personal data is kept, in days, and whether members can fetch theirs. Replaced whole. Only an owner can change it, with a session. A shorter period takes effect after 24 hours; null is the longest.',
      example: { ...noPrivacy, access_days: 90, access_delete_days: 365 },
    }),
    privacy_pending: field(privacyPending, {
      personal: null,
      nullable: true,
      about: 'Which periods hold until a shortening takes effect. Null if `privacy` is in force.',
    }),
    is_deleted: field(is_deleted.type, { about: is_deleted.about, initial: false }),
    created_at,
    metadata: metadataField(),
  },
})
