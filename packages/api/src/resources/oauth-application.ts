import { field, lifecycle, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { reference } from '../kit/scalars.ts'

/** An application that acts for organizations. It is visible only as the subject of events. */
export const oauthApplication = resource({
  kind: 'oauth_application',
  plural: 'oauth_applications',
  path: '/oauth_applications',
  about: 'An application that acts for organizations.',
  verbs: [],
  logged: false,
  fields: {
    id: field(reference('oauth_application'), { about: 'The client ID.' }),
    name: nameField({ edit: false, example: 'Front desk' }),
    created_at: lifecycle().created_at,
  },
})
