import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useAccountRefresh } from '../data/use-account.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { type Position, positionBody, RolePick } from './role-pick.tsx'

export function InviteUser({ onClose }: { onClose: () => void }) {
  const { account, organization } = useApi()
  const refresh = useAccountRefresh()
  const path = `/organizations/${organization.id}/invitations`
  const draft = useDraft(
    { email: '', position: { role: 'administrator', site_ids: [] } as Position },
    async values => {
      await account('POST', path, { email: values.email, ...positionBody(values.position) })
      await refresh(path)
      notifications.show({ message: `Invitation sent to ${values.email}`, color: 'teal' })
      onClose()
    },
    t('Could not send the invitation'),
  )
  return (
    <FormModal title="Invite user" opened onClose={onClose} draft={draft} action="Send invitation">
      <TextInput
        label="Email"
        type="email"
        required
        maxLength={255}
        data-autofocus
        description="The person accepts with an account that has this address"
        value={draft.values.email}
        error={draft.errorOf('email')}
        onChange={event => draft.set('email', event.currentTarget.value)}
      />
      <RolePick
        value={draft.values.position}
        error={draft.errorOf('site_ids')}
        onChange={position => draft.set('position', position)}
      />
    </FormModal>
  )
}
