import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAccountList } from '../../data/use-account.ts'
import { IconKey, IconPlugConnected } from '../../icons/icons.ts'
import { Empty } from '../../parts/empty.tsx'
import { Name } from '../../parts/name.tsx'
import { Section } from '../../parts/page.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { Ago, formatDay } from '../../parts/time.tsx'
import { scopeWords } from '../../users/role-words.ts'
import { type Application, type Installation, installationHref } from './account-objects.ts'
import { InstallHere } from './install.tsx'
import { TestToken } from './test-token.tsx'

const columns: readonly Column<Installation>[] = [
  {
    title: 'Organization',
    width: '1.2fr',
    render: ({ name }) => <Name>{name}</Name>,
  },
  {
    title: 'Access',
    width: '1.6fr',
    render: ({ scopes }) => <span className="soft">{scopeWords(scopes)}</span>,
  },
  {
    title: 'Since',
    width: '105px',
    render: ({ created_at }) => <span className="soft">{formatDay(created_at)}</span>,
  },
  {
    title: 'Last used',
    width: '100px',
    render: ({ last_used_at }) => (
      <span className="soft">{last_used_at ? <Ago at={last_used_at} /> : 'Never'}</span>
    ),
  },
]

/** Lists the organizations in which an application is installed. Each one leads to its webhooks there. */
export function Installations({ application }: { application: Application }) {
  const [is_asking, setAsking] = useState(false)
  const list = useAccountList<Installation>(`/applications/${application.id}/installations`)
  const actions = (
    <>
      <InstallHere application={application} />
      <Button variant="default" leftSection={<IconKey size={14} />} onClick={() => setAsking(true)}>
        Create test token
      </Button>
    </>
  )
  return (
    <Section
      title="Installations"
      about="Organizations that authorized this application. Open one to manage its webhooks."
      flush
      actions={actions}
    >
      <Rows
        label="Installations"
        list={list}
        is_tall
        columns={columns}
        href={({ organization_id }) => installationHref(application.id, organization_id)}
        keyOf={({ organization_id }) => organization_id}
        empty={
          <Empty icon={<IconPlugConnected />} title="No installations yet">
            Send users to <code className="mono">/oauth2/auth</code> with the client ID, or try the
            application in one of your test organizations, which needs no sign-in.
          </Empty>
        }
      />
      {is_asking && <TestToken application={application} onClose={() => setAsking(false)} />}
    </Section>
  )
}
