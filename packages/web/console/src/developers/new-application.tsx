import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAccountRefresh } from '../data/use-account.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { useApi } from '../session/use-api.ts'
import type { Application } from './account-objects.ts'
import { joinLines, lineError, splitLines } from './lines.ts'

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
    'The application was not made',
  )
  if (made)
    return (
      <ShownOnce
        title="The secret of your application"
        what="the secret"
        value={made.client_secret ?? ''}
        onClose={() => enter(made)}
      />
    )
  return (
    <FormModal title="New application" opened onClose={onClose} draft={draft} action="Make application">
      <TextInput
        label="Name"
        description="What users see when they are asked to allow it"
        required
        maxLength={255}
        data-autofocus
        value={draft.values.name}
        error={draft.errorOf('name')}
        onChange={event => draft.set('name', event.currentTarget.value)}
      />
      <Textarea
        label="Redirect URIs"
        description="Where users come back to after they allowed it, one in a line"
        placeholder="https://example.com/callback"
        autosize
        minRows={2}
        value={joinLines(draft.values.redirect_uris)}
        error={lineError(draft, 'redirect_uris')}
        onChange={event => draft.set('redirect_uris', splitLines(event.currentTarget.value))}
      />
      <Checkbox
        label="It cannot keep a secret"
        description="For apps on phones and in browsers: they use PKCE instead"
        checked={draft.values.is_public}
        onChange={event => draft.set('is_public', event.currentTarget.checked)}
      />
    </FormModal>
  )
}
