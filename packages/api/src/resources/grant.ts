import { clearable, list, metadataChange, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { email, flag, integer, language, nameText, reference, text, timestamp } from '../kit/scalars.ts'
import { printedCode, uid } from './card.ts'
import { pinDigits } from './member-pin.ts'

const grantedMember = shape({
  name: clearable(nameText, 'Label for administrators.'),
  starts_at: clearable(timestamp, 'When access starts.'),
  ends_at: clearable(timestamp, 'When access ends.'),
  language: clearable(language, 'Language of emails to the member, as a BCP 47 tag.'),
  metadata: optional(metadataChange, 'Merged into the existing metadata. Null removes a key.'),
  tag_ids: optional(list(reference('tag'), { max: 100, unique: true }), 'Tags of the member.'),
})

const credentials = shape({
  emails: optional(list(email, { max: 20, unique: true }), 'Email addresses to sign in with.'),
  magic_link: optional(flag, 'If true, the member has a link.'),
  pin: optional(
    shape({ length: optional(integer(4, 20), 'Digits.'), pin: optional(pinDigits, 'A chosen PIN.') }),
    '`{}` for a random PIN of a safe length.',
  ),
  card: optional(
    shape({
      card_id: optional(reference('card'), 'An existing card.'),
      uid: optional(uid, 'A UID. An unknown UID creates the card.'),
      printed_code: optional(printedCode, 'The code printed on an existing card.'),
    }),
    'One of the three.',
  ),
})

/** The body of `POST /grants`. */
export const grantParts = {
  external_id: optional(text(255), 'Your own key. Repeating the call with it updates the same member.'),
  member: required(grantedMember, 'The member.'),
  member_group_ids: required(
    list(reference('member_group'), { max: 100, unique: true }),
    'Exactly the groups that the member should have.',
  ),
  credentials: optional(
    credentials,
    'Kinds of credentials that the member should have. Kinds left out stay unchanged.',
  ),
  notify: optional(flag, 'If true, emails an invitation to every address of the member.'),
}
export type GrantBody = Shape<typeof grantParts>
