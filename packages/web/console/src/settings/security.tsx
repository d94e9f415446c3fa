import { Alert, Anchor, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../data/use-account.ts'
import { Confirm } from '../parts/confirm.tsx'
import { showFailure } from '../parts/failure.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import type { User } from '../users/user.ts'

/** Whether a password alone is enough. Only owners switch it, and only who would not lock themselves out. */
export function SecuritySettings() {
  const { account, organization, session } = useApi()
  const queries = useQueryClient()
  const [is_asking, setAsking] = useState(false)
  const is_owner = organization.role === 'owner'
  const is_weak = session.method === 'password'
  const store = async (requires_second_factor: boolean) => {
    await account('PATCH', `/organizations/${organization.id}`, { requires_second_factor })
    await queries.refetchQueries({ queryKey: ['session'] })
    const message = requires_second_factor ? 'A second factor is needed now' : 'A password is enough again'
    notifications.show({ message, color: 'teal' })
  }
  const allow = () => store(false).catch(error => showFailure(error, 'A second factor is still needed'))
  return (
    <Section title="Security" about={is_owner ? undefined : 'Owners can change this'}>
      <Switch
        label="Ask every user for a second factor"
        description="An authenticator app or a passkey, beside the password, to work with this organization"
        checked={organization.requires_second_factor}
        disabled={!is_owner || (is_weak && !organization.requires_second_factor)}
        onChange={event => (event.currentTarget.checked ? setAsking(true) : void allow())}
      />
      {is_owner && is_weak && !organization.requires_second_factor && (
        <Alert mt="md" color="gray" title="You signed in with a password alone">
          Asking others for more would lock you out yourself. <Anchor href="/security">Set up</Anchor> an
          authenticator app or a passkey, sign in with it, and come back.
        </Alert>
      )}
      {is_asking && (
        <Confirm
          title="Ask every user for a second factor"
          action="Ask for it"
          failed="Nothing was changed"
          onClose={() => setAsking(false)}
          onConfirm={() => store(true)}
        >
          <LockedOut />
        </Confirm>
      )}
    </Section>
  )
}

/** Who would be kept out, before it happens. */
function LockedOut() {
  const { organization } = useApi()
  const { data } = useAccount<{ data: User[] }>(`/organizations/${organization.id}/users`)
  const without = data?.data.filter(({ has_second_factor }) => !has_second_factor).length ?? 0
  const them = without === 1 ? 'One user has none yet and is' : `${without} users have none yet and are`
  return (
    <>
      From now on whoever signed in with a password alone is kept out until they sign in with an authenticator
      app or a passkey. {without === 0 ? 'All users have one.' : `${them} locked out at once.`} Doors, members
      and installed applications go on as before. You can switch it off again.
    </>
  )
}
