import { Button } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { IconMailPlus } from '../icons/icons.ts'
import { Page } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { InvitationList } from './invitations.tsx'
import { InviteUser } from './invite-user.tsx'
import { LeaveButton } from './leave.tsx'
import { UserList } from './user-list.tsx'

/** Lists the people who use the console. Members, who open doors, are separate. */
export function Screen() {
  const { may_write } = useApi()
  const [params, setParams] = useSearchParams()
  return (
    <Page
      title="Users"
      subtitle="People who use this console. People who open doors are members."
      actions={
        <>
          <LeaveButton />
          {may_write && (
            <Button leftSection={<IconMailPlus size={14} />} onClick={() => setParams({ new: '' })}>
              Invite
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        <UserList />
        {may_write && <InvitationList />}
      </div>
      {params.has('new') && <InviteUser onClose={() => setParams({}, { replace: true })} />}
    </Page>
  )
}
