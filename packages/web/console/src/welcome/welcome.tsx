import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useDraft } from '../form/draft.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { Name } from '../parts/name.tsx'
import { TemplatePick } from '../parts/template-pick.tsx'
import { callAccount } from '../session/account.ts'
import { useSession } from '../session/gate.tsx'
import { signOut } from '../session/session.ts'

interface Invitation {
  readonly id: string
  readonly organization_name: string
  readonly role: string
}

/** The start page for users without an organization, and the page for creating another organization. */
export function Welcome() {
  const session = useSession()
  return (
    <main className="welcome">
      <Stack gap="xl">
        <div>
          <Title order={1} size="h2">
            {session.organizations.length === 0 ? 'Welcome to Gatehouse' : 'New organization'}
          </Title>
          <Text c="dimmed" size="sm">
            An organization holds your sites, doors and people.
          </Text>
        </div>
        <Invitations />
        <NewOrganization is_first={session.organizations.length === 0} />
        <Group gap="md">
          {session.organizations.length > 0 && (
            <Anchor href="/" size="sm">
              Back to your organizations
            </Anchor>
          )}
          <Anchor href="/account" size="sm">
            Your account
          </Anchor>
          <Anchor component="button" type="button" size="sm" onClick={() => void signOut(session)}>
            Sign out
          </Anchor>
        </Group>
      </Stack>
    </main>
  )
}

function NewOrganization({ is_first }: { is_first: boolean }) {
  const { csrf_token } = useSession()
  const enter = useEnter()
  const draft = useDraft(
    { name: '', template: '' },
    async ({ name, template }) => {
      const body = { name: name.trim(), ...(template && { template }) }
      const { id } = await callAccount<{ id: string }>('POST', '/organizations', body, csrf_token)
      await enter(id)
    },
    t('Could not create the organization'),
  )
  return (
    <form onSubmit={draft.submit}>
      <Stack gap="md">
        {is_first && (
          <Title order={2} size="h5">
            New organization
          </Title>
        )}
        <TextInput
          label="Name"
          required
          maxLength={255}
          placeholder="Hotel Miramar"
          value={draft.values.name}
          error={draft.errorOf('name')}
          onChange={event => draft.set('name', event.currentTarget.value)}
        />
        <TemplatePick
          label="Start with"
          value={draft.values.template}
          onChange={value => draft.set('template', value)}
          may_be_empty
        />
        <Group>
          <Button type="submit" size="sm" loading={draft.is_saving}>
            Create organization
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Invitations() {
  const { csrf_token } = useSession()
  const enter = useEnter()
  const { data, refetch } = useQuery({
    queryKey: ['invitations'],
    queryFn: () => callAccount<{ data: Invitation[] }>('GET', '/invitations'),
  })
  const answer = async (id: string, what: 'accept' | 'decline') => {
    try {
      const path = `/invitations/${id}/${what}`
      const { organization_id } = await callAccount<{ organization_id: string }>('POST', path, {}, csrf_token)
      if (what === 'accept') await enter(organization_id)
      else void refetch()
    } catch (error) {
      showFailure(error)
    }
  }
  return data?.data.map(({ id, organization_name, role }) => (
    <Group key={id} justify="space-between" className="section invitation">
      <Text size="sm">
        You are invited to <Name>{organization_name}</Name> as {role}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => void answer(id, 'decline')}>
          Decline
        </Button>
        <Button onClick={() => void answer(id, 'accept')}>Accept</Button>
      </Group>
    </Group>
  ))
}

/** Reloads the session first, because it must contain the organization before the user can enter it. */
function useEnter(): (id: string) => Promise<void> {
  const queries = useQueryClient()
  const [, go] = useLocation()
  return async id => {
    await queries.refetchQueries({ queryKey: ['session'] })
    go(`/o/${id}`)
  }
}
