import { Badge, Button } from '@mantine/core'
import { useLocation, useSearchParams } from 'wouter'
import { useAccount, useAccountList } from '../../data/use-account.ts'
import { IconPlus, IconWebhook } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { LoadingPage } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { formatDay } from '../../parts/time.tsx'
import { EditWebhook } from '../webhooks/edit-webhook.tsx'
import { ruleWords } from '../webhooks/rules.ts'
import {
  type Application,
  hooksPath,
  type Installation,
  type InstallationIds,
  installationHref,
  type Webhook,
} from './account-objects.ts'

const columns: readonly Column<Webhook>[] = [
  { title: 'URL', width: '2fr', render: ({ url }) => <Name>{url}</Name> },
  { title: 'Status', width: '90px', render: webhook => <WebhookState webhook={webhook} /> },
  {
    title: 'Sends',
    width: '1.5fr',
    on_phone: false,
    render: ({ filter }) => <span className="soft">{filter.map(ruleWords).join(', ') || 'Nothing'}</span>,
  },
  {
    title: 'Created',
    width: '105px',
    on_phone: false,
    render: ({ created_at }) => <span className="soft">{formatDay(created_at)}</span>,
  },
]

export function WebhookState({ webhook: { is_enabled, disabled_reason } }: { webhook: Webhook }) {
  if (is_enabled) return <Badge color="teal">On</Badge>
  const isFailing = disabled_reason === 'failing'
  return <Badge color={isFailing ? 'red' : 'gray'}>{isFailing ? 'Failing' : 'Off'}</Badge>
}

/** The webhooks of one application in one organization. */
export function InstallationPage(ids: InstallationIds) {
  const { application_id, organization_id } = ids
  const names = useInstallationNames(ids)
  const list = useAccountList<Webhook>(hooksPath(application_id, organization_id))
  const [params, setParams] = useSearchParams()
  const [, go] = useLocation()
  const open = () => setParams({ new: '' })
  const here = installationHref(application_id, organization_id)
  if (list.error) return <Failure error={list.error} retry={list.refetch} />
  if (!names) return <LoadingPage />
  return (
    <Page
      title={`Webhooks in ${names.organization}`}
      trail={[
        [t('Developers'), '/developers'],
        [names.application, `/developers/applications/${application_id}`],
      ]}
      subtitle="Send this organization’s events to your server as they happen"
      actions={
        <Button leftSection={<IconPlus size={14} />} onClick={open}>
          New webhook
        </Button>
      }
    >
      <Rows
        label="Webhooks"
        list={list}
        columns={columns}
        href={({ id }) => `${here}/webhooks/${id}`}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconWebhook />}
            title="No webhooks yet"
            action={<Button onClick={open}>Add your first webhook</Button>}
          >
            A webhook sends events to your URL: a door was opened, a member was added, a device went offline.
          </Empty>
        }
      />
      {params.has('new') && (
        <EditWebhook
          ids={ids}
          onClose={() => setParams({}, { replace: true })}
          onDone={({ id }) => go(`${here}/webhooks/${id}`)}
        />
      )}
    </Page>
  )
}

/** Returns the names of the application and the organization, for titles and breadcrumbs. */
export function useInstallationNames({ application_id, organization_id }: InstallationIds) {
  const path = `/applications/${application_id}`
  const application = useAccount<Application>(path)
  const installations = useAccount<{ data: Installation[] }>(`${path}/installations`)
  const found = installations.data?.data.find(entry => entry.organization_id === organization_id)
  if (!application.data || !installations.data) return undefined
  return { application: application.data.name, organization: found?.name ?? organization_id }
}
