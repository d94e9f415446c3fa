import { field, lifecycle } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { email, reference, text } from '../kit/scalars.ts'

/** A person who administers organizations. Visible only as the subject of events. */
export const user = resource({
  kind: 'user',
  plural: 'users',
  path: '/users',
  about: 'A person who administers the organization.',
  verbs: [],
  logged: false,
  fields: {
    id: field(reference('user'), { about: 'Unique identifier of the user.' }),
    name: field(text(255), { about: 'Name.', example: 'Front desk', nullable: true }),
    email: field(email, { about: 'Email address that the user signs in with.' }),
    created_at: lifecycle().created_at,
  },
})
