import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useAccountRefresh } from '../../data/use-account.ts'
import { useDraft } from '../../form/draft.ts'
import { FormModal } from '../../form/form-modal.tsx'
import { IconPlugConnected } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { useApi } from '../../session/use-api.ts'
import { ScopePick } from '../scope-pick.tsx'
import type { Application } from './account-objects.ts'

/** Installs one's own application in the organization that is open. For its administrators. */
export function InstallHere({ application }: { application: Application }) {
  const { may_write } = useApi()
  const [is_asking, asking] = useDisclosure(false)
  if (!may_write) return null
  return (
    <>
      <Button variant="default" leftSection={<IconPlugConnected size={14} />} onClick={asking.open}>
        Install in this organization
      </Button>
      {is_asking && <Install application={application} onClose={asking.close} />}
    </>
  )
}

function Install({ application, onClose }: { application: Application; onClose: () => void }) {
  const { account, organization } = useApi()
  const refresh = useAccountRefresh()
  const draft = useDraft<{ scopes: readonly string[] }>(
    { scopes: [] },
    async values => {
      const path = `/applications/${application.id}/organizations/${organization.id}/installation`
      await account('POST', path, values)
      await refresh('/applications', `/organizations/${organization.id}/installations`)
      notifications.show({ message: `Installed in ${organization.name}`, color: 'teal' })
      onClose()
    },
    t('Could not install the application'),
  )
  return (
    <FormModal
      title="Install in this organization"
      opened
      onClose={onClose}
      draft={draft}
      action="Install"
      is_empty={draft.values.scopes.length === 0}
    >
      <p className="dialog-text">
        <bdi>{application.name}</bdi> gets access to <bdi>{organization.name}</bdi>, as if its consent page
        had been accepted.
      </p>
      <ScopePick value={draft.values.scopes} onChange={scopes => draft.set('scopes', scopes)} />
    </FormModal>
  )
}
