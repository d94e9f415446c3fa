import { Button } from '@mantine/core'
import { useState } from 'react'
import { IconLogout } from '../icons/icons.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'

/** The service tells the last owner to name another owner first. */
export function LeaveButton() {
  const { account, organization } = useApi()
  const [is_asking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconLogout size={14} />}
        onClick={() => setAsking(true)}
      >
        Leave organization
      </Button>
      {is_asking && (
        <Confirm
          title="Leave organization"
          action="Leave organization"
          failed="Could not leave the organization"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await account('POST', `/organizations/${organization.id}/leave`)
            location.assign('/')
          }}
        >
          You lose access to <Name>{organization.name}</Name> immediately, and so do your own applications
          that are installed here. To return, you need a new invitation.
        </Confirm>
      )}
    </>
  )
}
