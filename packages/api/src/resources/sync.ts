import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, flag, integer, reference, text, timestamp } from '../kit/scalars.ts'

const pendingDevice = shape({
  device_id: required(reference('device'), 'A device that has not confirmed it.'),
  online: required(flag, 'Whether it is connected.'),
  applied_at: nullable(timestamp, 'When it last confirmed anything.'),
})

const itemParts = {
  type: required(
    choice('member', 'member_group_association', 'member_pin', 'member_card'),
    'What has to arrive: the dates of the member, an association, a PIN, a card.',
  ),
  id: required(text(64), 'Its id.'),
  is_deleted: required(flag, 'True: what has to arrive is that it is gone. Listed until it has.'),
  state: required(
    choice('applied', 'pending', 'nowhere'),
    'applied: every device it concerns has confirmed it; nowhere: it concerns none.',
  ),
  devices: required(integer(0, 1_000_000), 'How many devices it concerns.'),
  applied_devices: required(integer(0, 1_000_000), 'How many of them have confirmed it.'),
  since: nullable(timestamp, 'pending: when it was changed; applied: when the last device confirmed it.'),
  at_risk: required(
    flag,
    'True: a door has not confirmed what counts now or within the hour, or still opens for what is deleted.',
  ),
  pending_devices: required(list(pendingDevice, { max: 100 }), 'The first hundred that have not.'),
}

const parts = {
  member_id: required(reference('member'), 'The member.'),
  state: required(choice('applied', 'pending', 'nowhere'), 'Of all together.'),
  at_risk: required(flag, 'Whether one of them is.'),
  items: required(list(shape(itemParts), { max: 10_000 }), 'Dates, associations, PINs and cards.'),
}

/** How far a member's access has come on its way to the doors: the answer of `GET /members/{member_id}/sync`. */
export const memberSync = shape(parts)
export type MemberSync = Shape<typeof parts>
export type SyncItem = Shape<typeof itemParts>
