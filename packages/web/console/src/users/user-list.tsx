import { ActionIcon, Badge, Menu } from '@mantine/core'
import { useState } from 'react'
import { useAccountList } from '../data/use-account.ts'
import { IconDots } from '../icons/icons.ts'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { formatDay } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { roleWords } from './role-words.ts'
import type { Change, User } from './user.ts'
import { UserDialog } from './user-dialogs.tsx'

interface Chosen {
  readonly change: Change
  readonly user: User
}

const tones = {
  owner: 'blue',
  administrator: 'teal',
  viewer: 'gray',
  front_desk: 'grape',
  installer: 'orange',
  site_administrator: 'teal',
  site_viewer: 'gray',
} as const

/** A role, and how many sites it is limited to. */
export function PositionBadge({ role, site_ids }: Pick<User, 'role' | 'site_ids'>) {
  return (
    <>
      <Badge color={tones[role]}>{roleWords[role][0]}</Badge>{' '}
      {site_ids && (
        <span className="soft nowrap">{site_ids.length === 1 ? '1 site' : `${site_ids.length} sites`}</span>
      )}
    </>
  )
}

export function UserList() {
  const { organization, session, may_write } = useApi()
  const [chosen, setChosen] = useState<Chosen>()
  const list = useAccountList<User>(`/organizations/${organization.id}/users`)
  const owners = list.items.filter(({ role }) => role === 'owner').length
  const columns: readonly Column<User>[] = [
    {
      title: 'Name',
      width: '1.5fr',
      render: ({ id, name, email }) => (
        <>
          <Name fallback={email}>{name}</Name>
          {id === session.user.id && <span className="soft"> (you)</span>}
        </>
      ),
    },
    { title: 'Email', width: '2fr', render: ({ email }) => <Name>{email}</Name> },
    {
      title: 'Role',
      width: '220px',
      render: user => <PositionBadge {...user} />,
    },
    {
      title: 'Since',
      width: '110px',
      on_phone: false,
      render: ({ created_at }) => <span className="soft">{formatDay(created_at)}</span>,
    },
    ...(may_write
      ? [
          {
            title: 'Two-factor',
            width: '115px',
            render: ({ has_second_factor }: User) => (
              <span className={has_second_factor ? 'good-ink' : 'soft'}>
                {has_second_factor ? 'Set up' : 'None'}
              </span>
            ),
          },
          {
            title: 'Actions',
            is_actions: true,
            width: '60px',
            render: (user: User) => (
              <UserMenu
                user={user}
                is_last_owner={owners === 1}
                onChoose={change => setChosen({ change, user })}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      <Section title="Users" flush>
        <Rows label="Users" list={list} is_tall columns={columns} keyOf={({ id }) => id} empty={null} />
      </Section>
      {chosen && <UserDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

interface MenuProps {
  readonly user: User
  readonly is_last_owner: boolean
  readonly onChoose: (change: Change) => void
}

/** Only owners can change owners, and the last owner cannot be removed. */
function UserMenu({ user, is_last_owner, onChoose }: MenuProps) {
  const { organization, session } = useApi()
  const is_owner = organization.role === 'owner'
  const is_self = user.id === session.user.id
  const is_fixed = user.role === 'owner' && (!is_owner || is_last_owner)
  if (is_fixed) return <div className="row-actions soft">–</div>
  return (
    <div className="row-actions">
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${user.name ?? user.email}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onChoose('role')}>Change role</Menu.Item>
          {is_owner && !is_self && user.role !== 'owner' && (
            <Menu.Item onClick={() => onChoose('transfer')}>Transfer ownership</Menu.Item>
          )}
          {!is_self && <Menu.Item onClick={() => onChoose('sign_out')}>Sign out</Menu.Item>}
          {!is_self && (
            <Menu.Item color="red" onClick={() => onChoose('remove')}>
              Remove
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
