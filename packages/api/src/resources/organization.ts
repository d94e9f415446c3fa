import { required, shape } from '../kit/compounds.ts'
import { field, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { flag, reference } from '../kit/scalars.ts'

const { is_deleted, created_at } = lifecycle()

export const organization = resource({
  kind: 'organization',
  plural: 'organizations',
  path: '/organization',
  singleton: true,
  about: 'The customer that everything belongs to. A token gives access to exactly one organization.',
  verbs: ['get', 'edit'],
  restorable: false,
  fields: {
    id: field(reference('organization'), { about: 'Unique identifier of the organization.' }),
    name: nameField({ example: 'Hotel Miramar' }),
    features: field(
      shape({ whitelabel: required(flag, 'True if gadget actions can be run directly, without a member.') }),
      {
        personal: null,
        about: 'Features that the operator has turned on for this organization.',
        example: { whitelabel: true },
      },
    ),
    is_deleted: field(is_deleted.type, { about: is_deleted.about, initial: false }),
    created_at,
    metadata: metadataField(),
  },
})
