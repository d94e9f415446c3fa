import { useMemo } from 'react'
import { joinActions, type StandingAccess } from '../access/standing.ts'
import { standingColumns } from '../access/standing-columns.tsx'
import { keyOf } from '../data/collections.ts'
import { usePages } from '../data/use-list.ts'
import { useRuleGroups } from '../groups/use-rule-groups.ts'
import { IconDoor } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { inZone } from '../parts/door-time.ts'
import { Empty } from '../parts/empty.tsx'
import { NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { useApi } from '../session/use-api.ts'
import type { Member } from './member.ts'
import { useDatesZone } from './use-dates-zone.ts'

interface DoorAccess extends StandingAccess {
  readonly gadget_id: string
  readonly action_id: string
  readonly gadget?: { readonly name: string }
}

/** Lists every door that the member can open, now or later, by which rule and when. */
export function MemberDoors({ member }: { member: Member }) {
  const { client, organization } = useApi()
  const list = usePages<DoorAccess>(keyOf(organization.id, 'access', member.id, 'ever'), (cursor, signal) =>
    client.members.access<{ gadget?: { name: string } }>(member.id, {
      ever: true,
      expand: ['gadget'],
      limit: cursor ? 100 : 50,
      ...(cursor && { cursor }),
      signal,
    }),
  )
  const { zone } = useDatesZone({ member_id: member.id })
  const doors = useMemo(() => joinActions(list.items), [list.items])
  const groupOf = useRuleGroups(doors.flatMap(({ rules }) => rules ?? []).map(rule => rule.member_group_id))
  return (
    <Section title="Doors" about={inZone(t('Everything the rules allow, now or later.'), zone)} flush>
      <Rows
        label="Doors of the member"
        list={{ ...list, items: doors }}
        is_tall
        columns={[
          {
            title: 'Door',
            width: '1.2fr',
            render: ({ gadget_id, gadget }) => (
              <NameLink href={`/gadgets/${gadget_id}`}>{gadget?.name}</NameLink>
            ),
          },
          ...standingColumns<DoorAccess>(groupOf, zone),
        ]}
        keyOf={({ gadget_id }) => gadget_id}
        empty={
          <Empty icon={<IconDoor />} title="No doors">
            No rule gives this member access. Add the member to a group.
          </Empty>
        }
      />
    </Section>
  )
}
