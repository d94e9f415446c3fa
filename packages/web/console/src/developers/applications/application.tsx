import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAccount, useAccountRefresh } from '../../data/use-account.ts'
import { useDraft } from '../../form/draft.ts'
import { IconRotate, IconTrash } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Failure } from '../../parts/failure.tsx'
import { LoadingPage } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { useApi } from '../../session/use-api.ts'
import { OwnTime } from '../../sites/own-time.tsx'
import type { Application } from './account-objects.ts'
import { ApplicationFields } from './application-fields.tsx'
import { Installations } from './installations.tsx'
import { Logo } from './logo.tsx'

export function ApplicationPage({ id }: { id: string }) {
  const { data, error, refetch } = useAccount<Application>(`/applications/${id}`)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return (
    <Page
      title={data.name}
      trail={[[t('Developers'), '/developers']]}
      badge={<Badge color="gray">{data.is_public ? 'Public' : 'Confidential'}</Badge>}
      actions={<DeleteApplication application={data} />}
    >
      <div className="columns">
        <div className="stack">
          <Installations application={data} />
        </div>
        <div className="stack">
          <Credentials application={data} />
          <Settings key={data.id} application={data} />
        </div>
      </div>
    </Page>
  )
}

function Credentials({ application }: { application: Application }) {
  const { account } = useApi()
  const [is_asking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { id, is_public, created_at } = application
  return (
    <Section
      title="Credentials"
      actions={
        !is_public && (
          <Button variant="default" leftSection={<IconRotate size={14} />} onClick={() => setAsking(true)}>
            New secret
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [t('Client ID'), <Copied key="id" value={id} what="the client ID" />],
          [t('Secret'), is_public ? t('None (uses PKCE)') : t('Shown once, when created')],
          [t('Created'), <OwnTime key="at" at={created_at} />],
        ]}
      />
      {is_asking && (
        <Confirm
          title="Create new secret"
          action="Create new secret"
          failed="Could not create a new secret"
          onClose={() => setAsking(false)}
          onConfirm={async () =>
            setSecret((await account<Application>('POST', `/applications/${id}/secret`)).client_secret)
          }
        >
          The current secret stops working immediately. Tokens already issued stay valid until they expire; to
          renew them, your application needs the new secret.
        </Confirm>
      )}
      {secret && (
        <ShownOnce title="New secret" what="the secret" value={secret} onClose={() => setSecret(undefined)} />
      )}
    </Section>
  )
}

function Settings({ application }: { application: Application }) {
  const { id, name, redirect_uris } = application
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const draft = useDraft({ name, redirect_uris }, async values => {
    const body = { ...values, redirect_uris: values.redirect_uris.filter(Boolean) }
    await account('PATCH', `/applications/${id}`, body)
    await refresh('/applications')
  })
  return (
    <Section title="What users see">
      <Logo application={application} />
      <form onSubmit={draft.submit} className="developers-settings">
        <Stack gap="sm">
          <ApplicationFields draft={draft} />
          <Group justify="flex-end">
            <Button type="submit" disabled={!draft.is_dirty} loading={draft.is_saving}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function DeleteApplication({ application: { id, name } }: { application: Application }) {
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const [, go] = useLocation()
  const [is_asking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={14} />}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      {is_asking && (
        <Confirm
          title="Delete application"
          action="Delete application"
          failed="Could not delete the application"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await account('DELETE', `/applications/${id}`)
            go('/developers')
            await refresh('/applications')
          }}
        >
          <Text size="sm" component="div">
            <Name>{name}</Name> is removed from every organization. Its tokens stop working immediately and
            its webhooks are deleted. This cannot be undone.
          </Text>
        </Confirm>
      )}
    </>
  )
}
