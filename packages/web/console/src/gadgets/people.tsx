import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { standingColumns } from '../access/standing-columns.tsx'
import { keyOf } from '../data/collections.ts'
import { type List, usePages } from '../data/use-list.ts'
import { useRuleGroups } from '../groups/use-rule-groups.ts'
import { IconUsers } from '../icons/icons.ts'
import type { Door } from '../overview/door.ts'
import { Empty } from '../parts/empty.tsx'
import { NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import { type PersonAccess, peopleOf, usualAction } from './people-of.ts'

function useDoorPeople(gadget: Door): List<PersonAccess> {
  const { client, organization } = useApi()
  return usePages<PersonAccess>(
    keyOf(organization.id, 'access', gadget.id, usualAction(gadget), 'ever'),
    (cursor, signal) =>
      peopleOf(client, gadget, { limit: cursor ? 100 : 20, ...(cursor && { cursor }), signal }),
  )
}

/** Lists everybody who can open the door, now or later, by which rule and when. */
export function DoorPeople({ gadget }: { gadget: Door }) {
  const list = useDoorPeople(gadget)
  const { data: zone } = useZone(gadget.site_id)
  const groupOf = useRuleGroups(
    list.items.flatMap(({ rules }) => rules ?? []).map(rule => rule.member_group_id),
  )
  return (
    <Section
      title="Who can open it"
      about="Everybody whom the rules allow, now or later, with or without a credential."
      actions={
        <Anchor component={Link} href={`/gadgets/${gadget.id}/review`} size="sm">
          Review
        </Anchor>
      }
      flush
    >
      <Rows
        label="Members with access"
        list={list}
        is_tall
        columns={[
          {
            title: 'Member',
            width: '1.2fr',
            render: ({ member_id, member }) => (
              <NameLink href={`/members/${member_id}?gadget=${gadget.id}`}>{member?.name}</NameLink>
            ),
          },
          ...standingColumns<PersonAccess>(groupOf, zone),
        ]}
        keyOf={({ member_id }) => member_id}
        empty={
          <Empty icon={<IconUsers />} title="Nobody">
            No rule gives anybody access to this door. Add one to a group.
          </Empty>
        }
      />
    </Section>
  )
}
