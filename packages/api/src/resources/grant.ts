import { clearable, list, metadataChange, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { email, flag, integer, language, nameText, reference, text, timestamp } from '../kit/scalars.ts'
import { printedCode, uid } from './card.ts'
import { pinDigits } from './member-pin.ts'

const grantedMember = shape({
  name: clearable(nameText, 'Label for administrators.'),
  starts_at: clearable(timestamp, 'Access begins.'),
  ends_at: clearable(timestamp, 'Access ends.'),
  language: clearable(language, 'Language of mails to the guest, a BCP 47 tag.'),
  metadata: optional(metadataChange, 'Merged into what is there; null removes a key.'),
  tag_ids: optional(list(reference('tag'), { max: 100, unique: true }), 'Tags of the member.'),
})

const credentials = shape({
  emails: optional(list(email, { max: 20, unique: true }), 'Addresses to sign in with.'),
  magic_link: optional(flag, 'true: a link.'),
  pin: optional(
    shape({ length: optional(integer(4, 20), 'Digits.'), pin: optional(pinDigits, 'A chosen PIN.') }),
    '`{}`: a PIN of a safe length.',
  ),
  card: optional(
    shape({
      card_id: optional(reference('card'), 'A known card.'),
      uid: optional(uid, 'A UID; an unknown one creates the card.'),
      printed_code: optional(printedCode, 'The code printed on a known card.'),
    }),
    'One of the three.',
  ),
})

/** Body of `POST /grants`. */
export const grantParts = {
  external_id: optional(text(255), "The caller's own key: a repeat with it updates the same member."),
  member: required(grantedMember, 'The member.'),
  member_group_ids: required(
    list(reference('member_group'), { max: 100, unique: true }),
    'Exactly the groups the member shall have.',
  ),
  credentials: optional(
    credentials,
    'Kinds of credentials the member shall have; a kind left out is untouched.',
  ),
  notify: optional(flag, 'true: mails an invitation to every address of the member.'),
}
export type GrantBody = Shape<typeof grantParts>
