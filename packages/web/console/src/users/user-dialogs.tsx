import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccountRefresh } from '../data/use-account.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import { OwnApplications } from './own-applications.tsx'
import { RolePick } from './role-pick.tsx'
import type { Change, User } from './user.ts'

interface DialogProps {
  readonly change: Change
  readonly user: User
  readonly onClose: () => void
}

export function UserDialog(props: DialogProps) {
  const Dialog = dialogs[props.change]
  return <Dialog {...props} />
}

const dialogs = { role: ChangeRole, remove: RemoveUser, transfer: HandOver, sign_out: SignOut } as const

/** One's own role is in the session, too. */
function useAfterChange(): () => Promise<unknown> {
  const refresh = useAccountRefresh()
  const queries = useQueryClient()
  return async () => {
    await queries.refetchQueries({ queryKey: ['session'] })
    return refresh('/organizations')
  }
}

function ChangeRole({ user, onClose }: DialogProps) {
  const { account, organization } = useApi()
  const after = useAfterChange()
  const draft = useDraft(
    { role: user.role, kept: [] as string[] },
    async ({ role, kept }) => {
      const keep_applications = role === 'viewer' ? kept : []
      await account('PATCH', `/organizations/${organization.id}/users/${user.id}`, {
        role,
        keep_applications,
      })
      await after()
      onClose()
    },
    'The role was not changed',
  )
  return (
    <FormModal title="Change role" opened onClose={onClose} draft={draft} action="Change role">
      <Text size="sm" component="div">
        <Name>{user.name ?? user.email}</Name>
      </Text>
      <RolePick value={draft.values.role} onChange={role => draft.set('role', role)} />
      {draft.values.role === 'viewer' && (
        <OwnApplications
          user={user}
          is_only_writing
          kept={draft.values.kept}
          onKeep={kept => draft.set('kept', kept)}
        />
      )}
    </FormModal>
  )
}

function RemoveUser({ user, onClose }: DialogProps) {
  const { account, organization } = useApi()
  const after = useAfterChange()
  const [keep_applications, setKept] = useState<string[]>([])
  return (
    <Confirm
      title="Remove the user"
      action="Remove"
      failed="The user was not removed"
      onClose={onClose}
      onConfirm={async () => {
        const path = `/organizations/${organization.id}/users/${user.id}`
        await account('DELETE', path, { keep_applications })
        await after()
      }}
    >
      <Name>{user.name ?? user.email}</Name> loses access to this organization at once. Applications of others
      that this user allowed go on in the name of the owners. To come back, the user has to be invited again.
      <OwnApplications user={user} kept={keep_applications} onKeep={setKept} />
    </Confirm>
  )
}

function HandOver({ user, onClose }: DialogProps) {
  const { account, organization } = useApi()
  const after = useAfterChange()
  return (
    <Confirm
      title="Hand the organization over"
      action="Hand over"
      failed="The organization was not handed over"
      onClose={onClose}
      onConfirm={async () => {
        await account('POST', `/organizations/${organization.id}/transfer`, { user_id: user.id })
        await after()
      }}
    >
      <Name>{user.name ?? user.email}</Name> becomes owner, and you become administrator. You cannot take this
      back yourself: only an owner can make you owner again.
    </Confirm>
  )
}

/** Nothing can be undone here, but nothing is lost either: the user signs in again. */
function SignOut({ user, onClose }: DialogProps) {
  const { account, organization } = useApi()
  const name = user.name ?? user.email
  return (
    <Confirm
      title="Sign the user out"
      action="Sign out"
      failed="The user is still signed in"
      onClose={onClose}
      onConfirm={async () => {
        await account('POST', `/organizations/${organization.id}/users/${user.id}/sign_out`)
        notifications.show({ message: `${name} has to sign in again`, color: 'teal' })
      }}
    >
      <Name>{name}</Name> is signed out of this organization at once, on every device, and has to sign in
      again to come back. Do this when a laptop or phone was lost. To keep somebody out for good, remove the
      user instead. Other organizations and installed applications go on.
    </Confirm>
  )
}
