import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccountRefresh } from '../data/use-account.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { t } from '../language/t.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Name } from '../parts/name.tsx'
import { isSiteRole } from '../session/session.ts'
import { useApi } from '../session/use-api.ts'
import { OwnApplications } from './own-applications.tsx'
import { positionBody, RolePick } from './role-pick.tsx'
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

/** Also reloads the session, because it holds the user's own role. */
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
    { position: { role: user.role, site_ids: user.site_ids ?? [] }, kept: [] as string[] },
    async ({ position, kept }) => {
      const keep_applications = losesApplications(position.role) ? kept : []
      await account('PATCH', `/organizations/${organization.id}/users/${user.id}`, {
        ...positionBody(position),
        keep_applications,
      })
      await after()
      onClose()
    },
    t('Could not change the role'),
  )
  const { role } = draft.values.position
  return (
    <FormModal title="Change role" opened onClose={onClose} draft={draft} action="Change role">
      <Text size="sm" component="div">
        <Name>{user.name ?? user.email}</Name>
      </Text>
      <RolePick
        value={draft.values.position}
        error={draft.errorOf('site_ids')}
        onChange={position => draft.set('position', position)}
      />
      {losesApplications(role) && (
        <OwnApplications
          user={user}
          is_only_writing={role === 'viewer'}
          kept={draft.values.kept}
          onKeep={kept => draft.set('kept', kept)}
        />
      )}
    </FormModal>
  )
}

function losesApplications(role: User['role']): boolean {
  return role === 'viewer' || isSiteRole(role)
}

function RemoveUser({ user, onClose }: DialogProps) {
  const { account, organization } = useApi()
  const after = useAfterChange()
  const [keep_applications, setKept] = useState<string[]>([])
  return (
    <Confirm
      title="Remove user"
      action="Remove"
      failed="Could not remove the user"
      onClose={onClose}
      onConfirm={async () => {
        const path = `/organizations/${organization.id}/users/${user.id}`
        await account('DELETE', path, { keep_applications })
        await after()
      }}
    >
      <Name>{user.name ?? user.email}</Name> loses access to this organization immediately. Other developers’
      applications that this user authorized keep working on the owners’ behalf. To return, the user needs a
      new invitation.
      <OwnApplications user={user} kept={keep_applications} onKeep={setKept} />
    </Confirm>
  )
}

function HandOver({ user, onClose }: DialogProps) {
  const { account, organization } = useApi()
  const after = useAfterChange()
  return (
    <Confirm
      title="Transfer ownership"
      action="Transfer ownership"
      failed="Could not transfer ownership"
      onClose={onClose}
      onConfirm={async () => {
        await account('POST', `/organizations/${organization.id}/transfer`, { user_id: user.id })
        await after()
      }}
    >
      <Name>{user.name ?? user.email}</Name> becomes the owner, and you become an administrator. You cannot
      undo this yourself: only an owner can make you an owner again.
    </Confirm>
  )
}

/** Cannot be undone, but loses no data: the user signs in again. */
function SignOut({ user, onClose }: DialogProps) {
  const { account, organization } = useApi()
  const name = user.name ?? user.email
  return (
    <Confirm
      title="Sign out user"
      action="Sign out"
      failed="Could not sign out the user"
      onClose={onClose}
      onConfirm={async () => {
        await account('POST', `/organizations/${organization.id}/users/${user.id}/sign_out`)
        notifications.show({ message: `${name} signed out`, color: 'teal' })
      }}
    >
      <Name>{name}</Name> is signed out of this organization immediately, on every device, and must sign in
      again to return. Do this when a laptop or phone is lost. To keep someone out permanently, remove the
      user instead. Other organizations and installed applications are not affected.
    </Confirm>
  )
}
