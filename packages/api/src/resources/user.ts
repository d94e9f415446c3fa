import { field, lifecycle } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { email, reference, text } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'

/** Users belong to no organization alone: whoever takes such an id checks that the user has a role in it. */
export const userId: Type<string> = { ...reference('user'), references: () => [] }

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
    name: field(text(255), { personal: 'identity', about: 'Name.', example: 'Front desk', nullable: true }),
    email: field(email, { personal: 'contact', about: 'Email address that the user signs in with.' }),
    created_at: lifecycle().created_at,
  },
})
