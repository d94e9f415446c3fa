import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAccountRefresh } from '../../data/use-account.ts'
import { useDraft } from '../../form/draft.ts'
import { FormModal } from '../../form/form-modal.tsx'
import { t } from '../../language/t.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { useApi } from '../../session/use-api.ts'
import type { Application } from './account-objects.ts'
import { ApplicationFields } from './application-fields.tsx'

export function NewApplication({ onClose }: { onClose: () => void }) {
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const [, go] = useLocation()
  const [made, setMade] = useState<Application>()
  const enter = ({ id }: Application) => go(`/developers/applications/${id}`)
  const draft = useDraft(
    { name: '', redirect_uris: [] as readonly string[], is_public: false },
    async values => {
      const application = await account<Application>('POST', '/applications', {
        ...values,
        redirect_uris: values.redirect_uris.filter(Boolean),
      })
      await refresh('/applications')
      if (application.client_secret) setMade(application)
      else enter(application)
    },
    t('Could not create the application'),
  )
  if (made)
    return (
      <ShownOnce
        title="Client secret"
        what="the secret"
        value={made.client_secret ?? ''}
        onClose={() => enter(made)}
      />
    )
  return (
    <FormModal title="New application" opened onClose={onClose} draft={draft} action="Create application">
      <ApplicationFields draft={draft} />
      <Checkbox
        label="Public client"
        description="For mobile and browser apps, which cannot keep a secret and use PKCE instead"
        checked={draft.values.is_public}
        onChange={event => draft.set('is_public', event.currentTarget.checked)}
      />
    </FormModal>
  )
}
