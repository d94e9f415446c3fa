import { Badge, Button } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { useAccountList } from '../../data/use-account.ts'
import { IconCode, IconPlus } from '../../icons/icons.ts'
import { ApplicationLogo } from '../../parts/application-logo.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Name } from '../../parts/name.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { formatDay } from '../../parts/time.tsx'
import { DevelopersFrame } from '../frame.tsx'
import type { Application } from './account-objects.ts'
import { NewApplication } from './new-application.tsx'

const columns: readonly Column<Application>[] = [
  {
    title: 'Name',
    width: '2fr',
    render: application => (
      <span className="with-logo">
        <ApplicationLogo {...application} />
        <Name>{application.name}</Name>
      </span>
    ),
  },
  {
    title: 'Type',
    width: '120px',
    render: ({ is_public }) => <Badge color="gray">{is_public ? 'Public' : 'Confidential'}</Badge>,
  },
  {
    title: 'Client ID',
    width: '240px',
    on_phone: false,
    render: ({ id }) => <span className="mono soft">{id}</span>,
  },
  {
    title: 'Created',
    width: '110px',
    on_phone: false,
    render: ({ created_at }) => <span className="soft">{formatDay(created_at)}</span>,
  },
]

/** Lists the applications of the user. They belong to the user, not to an organization. */
export function ApplicationList() {
  const [params, setParams] = useSearchParams()
  const list = useAccountList<Application>('/applications')
  const open = () => setParams({ new: '' })
  return (
    <DevelopersFrame
      actions={
        <Button leftSection={<IconPlus size={14} />} onClick={open}>
          New application
        </Button>
      }
    >
      <Rows
        label="Your applications"
        list={list}
        columns={columns}
        href={({ id }) => `/developers/applications/${id}`}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconCode />}
            title="No applications yet"
            action={<Button onClick={open}>Create your first application</Button>}
          >
            An application connects your software to the organizations that authorize it. It has its own
            client ID, OAuth 2 sign-in and webhooks.
          </Empty>
        }
      />
      {params.has('new') && <NewApplication onClose={() => setParams({}, { replace: true })} />}
    </DevelopersFrame>
  )
}
