import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, flag, integer, reference, text, timestamp } from '../kit/scalars.ts'

const pendingDevice = shape({
  device_id: required(reference('device'), 'A device that has not confirmed the change.'),
  online: required(flag, 'Whether it is connected.'),
  applied_at: nullable(timestamp, 'When it last confirmed a change.'),
  missing_capabilities: required(
    list(text(64), { max: 64 }),
    'What its firmware would have to understand to be sent all rules of the member. Empty if it only has not confirmed yet.',
  ),
})

const itemParts = {
  type: required(
    choice('member', 'member_group_association', 'member_pin', 'member_card'),
    "What has to reach the devices: the member's dates, an association, a PIN or a card.",
  ),
  id: required(text(64), 'ID of the item.'),
  is_deleted: required(
    flag,
    'True if it is the deletion that has to reach the devices. Listed until it has.',
  ),
  state: required(
    choice('applied', 'pending', 'nowhere'),
    '`applied` if every device it concerns has confirmed it, `nowhere` if it concerns none.',
  ),
  devices: required(integer(0, 1_000_000), 'How many devices it concerns.'),
  applied_devices: required(integer(0, 1_000_000), 'How many of them have confirmed it.'),
  since: nullable(
    timestamp,
    'For `pending`, when it was changed. For `applied`, when the last device confirmed it.',
  ),
  at_risk: required(
    flag,
    'True if a door has not confirmed something that applies now or within the hour, or still opens for something that was deleted.',
  ),
  pending_devices: required(
    list(pendingDevice, { max: 100 }),
    'Devices that have not confirmed it, at most 100.',
  ),
}

const parts = {
  member_id: required(reference('member'), 'The member.'),
  state: required(choice('applied', 'pending', 'nowhere'), 'Status of all items together.'),
  at_risk: required(flag, 'Whether any item is at risk.'),
  items: required(list(shape(itemParts), { max: 10_000 }), 'Dates, associations, PINs and cards.'),
}

/** How far a member's access has reached the devices: the response of `GET /members/{member_id}/sync`. */
export const memberSync = shape(parts)
export type MemberSync = Shape<typeof parts>
export type SyncItem = Shape<typeof itemParts>
