import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAccount, useAccountList } from '../data/use-account.ts'
import { IconPlugConnected } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { ApplicationLogo } from '../parts/application-logo.tsx'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { Page } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { Ago, formatDay } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { scopeWords } from '../users/role-words.ts'
import type { User } from '../users/user.ts'
import { Deauthorize } from './deauthorize.tsx'
import type { InstalledApplication } from './installed-application.ts'

/** Lists the applications that act for the organization, and who authorized each of them. */
export function Screen() {
  const { organization, may_write } = useApi()
  const base = `/organizations/${organization.id}`
  const list = useAccountList<InstalledApplication>(`${base}/installations`)
  const { data: users } = useAccount<{ data: User[] }>(`${base}/users`)
  const [chosen, setChosen] = useState<InstalledApplication>()
  const nameOf = (id: string | null) => {
    const user = users?.data.find(held => held.id === id)
    return user ? (user.name ?? user.email) : t('The owners')
  }
  const columns: readonly Column<InstalledApplication>[] = [
    {
      title: 'Application',
      width: '1.2fr',
      render: ({ oauth_application_id, name, has_logo }) => (
        <span className="with-logo">
          <ApplicationLogo id={oauth_application_id} name={name} has_logo={has_logo} />
          <Name>{name}</Name>
        </span>
      ),
    },
    {
      title: 'Access',
      width: '2.2fr',
      render: ({ scopes }) => <span className="soft">{scopeWords(scopes)}</span>,
    },
    {
      title: 'Authorized by',
      width: '1fr',
      render: ({ granted_by }) => <Name>{nameOf(granted_by)}</Name>,
    },
    {
      title: 'Since',
      width: '105px',
      render: ({ created_at }) => <span className="soft">{formatDay(created_at)}</span>,
    },
    {
      title: 'Last used',
      width: '95px',
      render: ({ last_used_at }) => (
        <span className="soft">{last_used_at ? <Ago at={last_used_at} /> : 'Never'}</span>
      ),
    },
    ...(may_write || list.items.some(({ is_own }) => is_own)
      ? [
          {
            title: 'Actions',
            is_actions: true,
            width: '125px',
            render: (application: InstalledApplication) =>
              (may_write || application.is_own) && (
                <div className="row-actions">
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="red"
                    aria-label={`Revoke access for ${application.name}`}
                    onClick={() => setChosen(application)}
                  >
                    Revoke access
                  </Button>
                </div>
              ),
          },
        ]
      : []),
  ]
  return (
    <Page title="Applications" subtitle="Software with access to this organization">
      <Rows
        label="Installed applications"
        list={list}
        is_tall
        columns={columns}
        keyOf={({ oauth_application_id }) => oauth_application_id}
        empty={
          <Empty icon={<IconPlugConnected />} title="No applications installed">
            When you connect a booking system or another service, it asks for your permission. Connected
            applications are listed here, and you can revoke their access at any time.
          </Empty>
        }
      />
      {chosen && <Deauthorize application={chosen} onClose={() => setChosen(undefined)} />}
    </Page>
  )
}
