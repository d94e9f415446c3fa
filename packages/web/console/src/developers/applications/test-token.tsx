import { Anchor, Modal, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAccountRefresh } from '../../data/use-account.ts'
import { useDraft } from '../../form/draft.ts'
import { FormModal } from '../../form/form-modal.tsx'
import { t } from '../../language/t.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { useApi } from '../../session/use-api.ts'
import type { Application } from './account-objects.ts'

/**
 * Creates a token that is valid for an hour, without an OAuth flow. Installs the application if necessary.
 */
export function TestToken({ application, onClose }: { application: Application; onClose: () => void }) {
  const { account, session } = useApi()
  const refresh = useAccountRefresh()
  const [token, setToken] = useState<string>()
  const own = session.organizations.filter(({ is_test, due_at }) => is_test && !due_at)
  const draft = useDraft(
    { organization_id: own[0]?.id ?? '' },
    async values => {
      const path = `/applications/${application.id}/tokens`
      const { access_token } = await account<{ access_token: string }>('POST', path, values)
      await refresh('/applications')
      setToken(access_token)
    },
    t('Could not create the token'),
  )
  if (token)
    return (
      <ShownOnce title="Test token" what="the token" value={token} onClose={onClose}>
        <Text size="sm" c="dimmed">
          Valid for one hour. Send it as <code className="mono">Authorization: Bearer …</code>
        </Text>
      </ShownOnce>
    )
  if (own.length === 0)
    return (
      <Modal opened onClose={onClose} title="Create test token">
        <Text size="sm">
          You have no test organizations yet.{' '}
          <Anchor component={Link} href="/developers/organizations?new">
            Create one from a template
          </Anchor>
          , then come back here.
        </Text>
      </Modal>
    )
  return (
    <FormModal title="Create test token" opened onClose={onClose} draft={draft} action="Create token">
      <Select
        label="Test organization"
        description="The application is installed there with full access"
        data={own.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.values.organization_id}
        error={draft.errorOf('organization_id')}
        allowDeselect={false}
        onChange={id => draft.set('organization_id', id ?? '')}
      />
    </FormModal>
  )
}
