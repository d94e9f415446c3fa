import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useAccountList, useAccountRefresh } from '../data/use-account.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { formatDay } from '../parts/time.tsx'
import type { Role } from '../session/session.ts'
import { useApi } from '../session/use-api.ts'
import { PositionBadge } from './user-list.tsx'

interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly site_ids: readonly string[] | null
  readonly expires_at: string
}

/** Withdrawing needs no confirmation, because the same address can be invited again. */
export function InvitationList() {
  const { account, organization } = useApi()
  const refresh = useAccountRefresh()
  const path = `/organizations/${organization.id}/invitations`
  const list = useAccountList<Invitation>(path)
  const act = async (work: () => Promise<unknown>, done: string, failed: string) => {
    try {
      await work()
      notifications.show({ message: done, color: 'teal' })
    } catch (error) {
      showFailure(error, failed)
    }
    await refresh(path)
  }
  const withdraw = ({ id, email }: Invitation) =>
    act(
      () => account('DELETE', `${path}/${id}`),
      t(`Invitation to ${email} withdrawn`),
      t('Could not withdraw the invitation'),
    )
  const resend = ({ email, role, site_ids }: Invitation) =>
    act(
      () => account('POST', path, { email, role, ...(site_ids && { site_ids }) }),
      t(`Invitation sent again to ${email}`),
      t('Could not send the invitation'),
    )
  const columns: readonly Column<Invitation>[] = [
    { title: 'Email', width: '2fr', render: ({ email }) => <Name>{email}</Name> },
    { title: 'Role', width: '220px', render: invitation => <PositionBadge {...invitation} /> },
    {
      title: 'Expires',
      width: '110px',
      render: ({ expires_at }) => <span className="soft">{formatDay(expires_at)}</span>,
    },
    {
      title: 'Actions',
      is_actions: true,
      is_below: true,
      width: '180px',
      render: invitation => (
        <div className="row-actions">
          <Button size="compact-xs" variant="default" onClick={() => void resend(invitation)}>
            Resend
          </Button>
          <Button size="compact-xs" variant="subtle" color="red" onClick={() => void withdraw(invitation)}>
            Withdraw
          </Button>
        </div>
      ),
    },
  ]
  return (
    <Section title="Invitations" about="Valid for 14 days" flush>
      <Rows
        label="Invitations"
        list={list}
        is_tall
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Text size="sm" c="dimmed" p="md">
            No pending invitations.
          </Text>
        }
      />
    </Section>
  )
}
