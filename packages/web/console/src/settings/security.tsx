import { Alert, Anchor, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../data/use-account.ts'
import { t } from '../language/t.ts'
import { Confirm } from '../parts/confirm.tsx'
import { showFailure } from '../parts/failure.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import type { User } from '../users/user.ts'

/**
 * Sets whether a password alone suffices. Only owners can change it, and only if they would not lock
 * themselves out.
 */
export function SecuritySettings() {
  const { account, organization, session } = useApi()
  const queries = useQueryClient()
  const [is_asking, setAsking] = useState(false)
  const is_owner = organization.role === 'owner'
  const is_weak = session.method === 'password'
  const store = async (requires_second_factor: boolean) => {
    await account('PATCH', `/organizations/${organization.id}`, { requires_second_factor })
    await queries.refetchQueries({ queryKey: ['session'] })
    const message = requires_second_factor
      ? t('Two-factor authentication is now required')
      : t('Two-factor authentication is no longer required')
    notifications.show({ message, color: 'teal' })
  }
  const allow = () => store(false).catch(error => showFailure(error, t('Could not change the setting')))
  return (
    <Section title="Security" about={is_owner ? undefined : 'Owners can change this'}>
      <Switch
        label="Require two-factor authentication"
        description="Every user of this organization must sign in with an authenticator app or a passkey"
        checked={organization.requires_second_factor}
        disabled={!is_owner || (is_weak && !organization.requires_second_factor)}
        onChange={event => (event.currentTarget.checked ? setAsking(true) : void allow())}
      />
      {is_owner && is_weak && !organization.requires_second_factor && (
        <Alert mt="md" color="gray" title="You signed in with only a password">
          Requiring two-factor authentication now would lock you out.{' '}
          <Anchor href="/security" inherit underline="always">
            Set up
          </Anchor>{' '}
          an authenticator app or a passkey first, then sign in with it.
        </Alert>
      )}
      {is_asking && (
        <Confirm
          title="Require two-factor authentication"
          action="Require"
          failed="Could not change the setting"
          onClose={() => setAsking(false)}
          onConfirm={() => store(true)}
        >
          <LockedOut />
        </Confirm>
      )}
    </Section>
  )
}

/** Shows who would lose access, before the setting is changed. */
function LockedOut() {
  const { organization } = useApi()
  const { data } = useAccount<{ data: User[] }>(`/organizations/${organization.id}/users`)
  const without = data?.data.filter(({ has_second_factor }) => !has_second_factor).length ?? 0
  const them =
    without === 1
      ? t('One user has not set one up and will be')
      : t(`${without} users have not set one up and will be`)
  return (
    <>
      Users who signed in with only a password lose access until they sign in with an authenticator app or a
      passkey. {without === 0 ? 'All users have set one up.' : `${them} locked out immediately.`} Doors,
      members and installed applications are not affected. You can turn this off again.
    </>
  )
}
