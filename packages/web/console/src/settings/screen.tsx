import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { t } from '../language/t.ts'
import { Copied } from '../parts/copied.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import { roleWords } from '../users/role-words.ts'
import { OrganizationColor } from './color.tsx'
import { DeleteOrganization } from './delete-organization.tsx'
import { OrganizationLogo } from './logo.tsx'
import { SecuritySettings } from './security.tsx'

export function Screen() {
  const { client, organization, may_write } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'organizations', 'own'),
    queryFn: () => client.organization.get(),
  })
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  const { whitelabel } = data.features
  return (
    <Page title="Settings" narrow>
      <div className="stack">
        <Section title="Organization">
          <Rename key={data.name} name={data.name ?? ''} />
          {may_write && <OrganizationLogo />}
          {may_write && <OrganizationColor key={data.color} color={data.color} />}
          <Facts
            facts={[
              ['ID', <Copied key="id" value={data.id} what="the ID" />],
              [t('Created'), <OwnTime key="at" at={data.created_at} />],
              [t('Your role'), roleWords[organization.role][0]],
              ...(organization.is_test
                ? [
                    [
                      t('Type'),
                      <Badge key="test" color="yellow">
                        Test organization
                      </Badge>,
                    ] as const,
                  ]
                : []),
            ]}
          />
        </Section>
        <Section title="Features" about="Turned on by the operator of this installation">
          <Facts
            facts={[
              [
                t('Open doors directly'),
                <Group key="whitelabel" gap="xs">
                  <Badge color={whitelabel ? 'teal' : 'gray'}>{whitelabel ? 'On' : 'Off'}</Badge>
                  <Text size="sm" c="dimmed">
                    {whitelabel
                      ? 'Users and applications can open doors without a member.'
                      : 'Doors open only with a member’s access. Ask the operator to turn on the whitelabel feature.'}
                  </Text>
                </Group>,
              ],
            ]}
          />
        </Section>
        <SecuritySettings />
        {organization.role === 'owner' && <DeleteOrganization />}
      </div>
    </Page>
  )
}

/** Refreshes two places after a change: the session and the organization both hold the name. */
function Rename({ name }: { name: string }) {
  const { account, organization, may_write } = useApi()
  const queries = useQueryClient()
  const refresh = useRefresh()
  const draft = useDraft({ name }, async values => {
    await account('PATCH', `/organizations/${organization.id}`, values)
    await queries.refetchQueries({ queryKey: ['session'] })
    refresh('organizations')
  })
  return (
    <form onSubmit={draft.submit}>
      <Stack gap="xs" mb="md">
        <TextInput
          label="Name"
          description="Shown to users, members and applications"
          required
          maxLength={255}
          readOnly={!may_write}
          value={draft.values.name}
          error={draft.errorOf('name')}
          onChange={event => draft.set('name', event.currentTarget.value)}
        />
        {may_write && (
          <Group justify="flex-end">
            <Button type="submit" disabled={!draft.is_dirty} loading={draft.is_saving}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
