import { ActionIcon, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useList } from '../data/use-list.ts'
import { useRemove } from '../data/use-remove.tsx'
import { IconTrash, IconUserPlus, IconUsers } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import type { Association } from '../members/member.ts'
import { useDatesZone } from '../members/use-dates-zone.ts'
import { datesOf } from '../members/validity.ts'
import { inZone } from '../parts/door-time.ts'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { SearchField, useSearchText } from '../parts/search-field.tsx'
import { useApi } from '../session/use-api.ts'
import { AddMembers } from './add-members.tsx'
import type { Group } from './rule.ts'

interface GroupMember {
  readonly id: string
  readonly name: string | null
  readonly group_associations: readonly Association[]
}

/**
 * Lists the members of the group, newest first. The service searches and paginates, so the number of members
 * does not matter.
 */
export function GroupMembers({ group }: { group: Group }) {
  const { client, may_write } = useApi()
  const remove = useRemove()
  const [is_adding, adding] = useDisclosure(false)
  const [text, q, setText] = useSearchText()
  const { zone } = useDatesZone({ group_ids: [group.id] })
  const list = useList('members', {
    member_group_id: group.id,
    expand: ['group_associations'],
    ...(q && { q }),
  }) as unknown as ReturnType<typeof useList<'members', GroupMember>>
  const ownOf = ({ group_associations }: GroupMember) =>
    group_associations.filter(({ member_group_id }) => member_group_id === group.id)
  const timeOf = (member: GroupMember) =>
    ownOf(member)
      .map(one => inZone(datesOf(one, zone), zone))
      .filter(Boolean)
      .join('; ') || t('Always')
  /** Removes all associations: a member may be in a group several times, with different dates. */
  const takeOut = (member: GroupMember) => {
    const own = ownOf(member)
    return remove({
      id: `${member.id}-${group.id}`,
      name: t(`Membership of ${member.name ?? t('the member')}`),
      is_phrase: true,
      plurals: ['members'],
      remove: () => Promise.all(own.map(({ id }) => client.member_group_associations.delete(member.id, id))),
      restore: () =>
        Promise.all(
          own.map(({ id }) => client.member_group_associations.edit(member.id, id, { is_deleted: false })),
        ),
    })
  }
  const columns: readonly Column<GroupMember>[] = [
    {
      title: 'Member',
      width: '1.4fr',
      render: member => (
        <>
          <Name>{member.name}</Name>
          <span className="below">{timeOf(member)}</span>
        </>
      ),
    },
    {
      title: 'Period',
      width: '2fr',
      on_phone: false,
      render: member => <span className="soft">{timeOf(member)}</span>,
    },
    ...(may_write
      ? [
          {
            title: 'Actions',
            is_actions: true,
            width: '60px',
            phone_width: '50px',
            render: (member: GroupMember) => (
              <div className="row-actions">
                <ActionIcon
                  aria-label={`Remove ${member.name ?? member.id} from the group`}
                  onClick={() => void takeOut(member)}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </div>
            ),
          },
        ]
      : []),
  ]
  const can_add = may_write && !group.is_deleted
  return (
    <Section
      title="Members"
      flush
      actions={
        can_add && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconUserPlus size={14} />}
            onClick={adding.open}
          >
            Add members
          </Button>
        )
      }
    >
      <div className="section-search">
        <SearchField label="Search this group" value={text} onChange={setText} />
      </div>
      <Rows
        label="Group members"
        list={list}
        columns={columns}
        href={({ id }) => `/members/${id}`}
        keyOf={({ id }) => id}
        empty={
          q ? (
            <Empty title={`No members found for “${q}”`}>Try another part of the name.</Empty>
          ) : (
            <Empty icon={<IconUsers />} title="No members in this group">
              Add members to give them the access defined by the rules.
            </Empty>
          )
        }
      />
      {is_adding && <AddMembers group={group} onClose={adding.close} />}
    </Section>
  )
}
