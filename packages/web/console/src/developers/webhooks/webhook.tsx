import { Alert, Button, Switch, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAccount, useAccountRefresh } from '../../data/use-account.ts'
import { IconPencil, IconPlayerTrackNext, IconSend, IconTrash } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure, showFailure } from '../../parts/failure.tsx'
import { LoadingPage } from '../../parts/loading.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { useApi } from '../../session/use-api.ts'
import { OwnTime } from '../../sites/own-time.tsx'
import {
  hooksPath,
  type InstallationIds,
  installationHref,
  type Webhook,
} from '../applications/account-objects.ts'
import { useInstallationNames, WebhookState } from '../applications/installation.tsx'
import { Deliveries } from './deliveries.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { Replay } from './replay.tsx'
import { ruleWords } from './rules.ts'

type Ids = InstallationIds & { readonly webhook_id: string }
type Dialog = 'edit' | 'replay' | 'delete' | undefined

export function WebhookPage(ids: Ids) {
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const names = useInstallationNames(ids)
  const [, go] = useLocation()
  const [dialog, setDialog] = useState<Dialog>()
  const back = installationHref(ids.application_id, ids.organization_id)
  const hooks = hooksPath(ids.application_id, ids.organization_id)
  const path = `${hooks}/${ids.webhook_id}`
  const { data, error, refetch } = useAccount<Webhook>(path)
  if (error && !data) return <Failure error={error} retry={refetch} is_page />
  if (!data || !names) return <LoadingPage />
  const close = () => setDialog(undefined)
  const act = async (work: () => Promise<unknown>, failed: string) => {
    try {
      await work()
    } catch (error) {
      showFailure(error, failed)
    }
    await refresh(hooks)
  }
  const test = () =>
    act(async () => {
      await account('POST', `${path}/test`)
      notifications.show({ message: 'Test event queued', color: 'teal' })
    }, t('Could not send a test event'))
  return (
    <Page
      title={data.url}
      badge={<WebhookState webhook={data} />}
      trail={[
        [t('Developers'), '/developers'],
        [names.application, `/developers/applications/${ids.application_id}`],
        [names.organization, back],
      ]}
      actions={
        <>
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={14} />}
            onClick={() => setDialog('delete')}
          >
            Delete
          </Button>
          <Button variant="default" leftSection={<IconPencil size={14} />} onClick={() => setDialog('edit')}>
            Edit
          </Button>
          <Button
            variant="default"
            leftSection={<IconPlayerTrackNext size={14} />}
            disabled={!data.is_enabled}
            onClick={() => setDialog('replay')}
          >
            Replay
          </Button>
          <Button
            leftSection={<IconSend size={14} />}
            disabled={!data.is_enabled}
            onClick={() => void test()}
          >
            Send test event
          </Button>
        </>
      }
    >
      {data.disabled_reason && (
        <Alert color="red" mb="md" title="Turned off automatically">
          {data.disabled_reason === 'moved'
            ? 'The organization came from another installation, which may still send to this receiver. Turn the webhook on once it does not.'
            : 'The receiver accepted nothing for days. Fix the receiver, turn the webhook on, then replay the missed events.'}
        </Alert>
      )}
      <div className="developers-webhook">
        <Deliveries path={path} />
        <Section title="Webhook">
          <Switch
            mb="sm"
            label="Send events"
            checked={data.is_enabled}
            onChange={event => {
              const is_enabled = event.currentTarget.checked
              void act(() => account('PATCH', path, { is_enabled }), t('Could not change the webhook'))
            }}
          />
          <Facts
            facts={[
              [t('Sends'), <Rules key="rules" webhook={data} />],
              [t('Expanded objects'), data.expand.join(', ') || t('None')],
              [t('Created'), <OwnTime key="at" at={data.created_at} />],
              [
                'ID',
                <code key="id" className="mono">
                  {data.id}
                </code>,
              ],
            ]}
          />
        </Section>
      </div>
      {dialog === 'edit' && <EditWebhook ids={ids} webhook={data} onClose={close} onDone={close} />}
      {dialog === 'replay' && <Replay path={path} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title="Delete webhook"
          action="Delete webhook"
          failed="Could not delete the webhook"
          onClose={close}
          onConfirm={async () => {
            await account('DELETE', path)
            go(back)
            await refresh(hooks)
          }}
        >
          <Text size="sm">
            Nothing more is sent, including pending deliveries. This cannot be undone; a new webhook gets a
            new secret.
          </Text>
        </Confirm>
      )}
    </Page>
  )
}

function Rules({ webhook: { filter } }: { webhook: Webhook }) {
  if (filter.length === 0) return t('Nothing (no rules)')
  return (
    <ul className="developers-list">
      {filter.map((rule, index) => (
        <li key={index}>{ruleWords(rule)}</li>
      ))}
    </ul>
  )
}
