import { Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAccountRefresh } from '../../data/use-account.ts'
import { useDraft } from '../../form/draft.ts'
import { FormModal } from '../../form/form-modal.tsx'
import { MomentInput } from '../../form/moment-input.tsx'
import { t } from '../../language/t.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { useApi } from '../../session/use-api.ts'
import { ScopePick } from '../scope-pick.tsx'
import { type ApiKey, keysPath } from './api-key.ts'

const ends = [
  ['30', t('In 30 days')],
  ['90', t('In 90 days')],
  ['365', t('In a year')],
  ['date', t('On a date')],
  ['never', t('Never')],
] as const

interface Values {
  readonly name: string
  readonly scopes: readonly string[]
  readonly end: string
  readonly expires_at: string | null
}

/** Makes a key, and shows it once. Nothing is chosen at first, so that no key can do more than was thought of. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const { account, organization } = useApi()
  const refresh = useAccountRefresh()
  const [key, setKey] = useState<string>()
  const path = keysPath(organization.id)
  const draft = useDraft<Values>(
    { name: '', scopes: [], end: '90', expires_at: null },
    async ({ name, scopes, ...values }) => {
      const body = { name, scopes, expires_at: endOf(values, Date.now()) }
      const made = await account<ApiKey & { key: string }>('POST', path, body)
      await refresh(path)
      setKey(made.key)
    },
    t('Could not create the key'),
  )
  const { values, set, errorOf } = draft
  if (key)
    return (
      <ShownOnce title="API key" what="the key" value={key} onClose={onClose}>
        <Text size="sm" c="dimmed">
          Send it as <code className="mono">Authorization: Bearer …</code>
        </Text>
      </ShownOnce>
    )
  return (
    <FormModal
      title="New API key"
      opened
      onClose={onClose}
      draft={draft}
      action="Create key"
      is_empty={values.scopes.length === 0 || (values.end === 'date' && values.expires_at === null)}
    >
      <TextInput
        label="Name"
        description="What it is for. Events name it."
        required
        maxLength={255}
        value={values.name}
        error={errorOf('name')}
        onChange={event => set('name', event.currentTarget.value)}
        data-autofocus
      />
      <ScopePick value={values.scopes} onChange={scopes => set('scopes', scopes)} />
      <Select
        label="Ends"
        allowDeselect={false}
        data={ends.map(([value, label]) => ({ value, label }))}
        value={values.end}
        onChange={end => end && set('end', end)}
      />
      {values.end === 'date' && (
        <MomentInput
          label="End"
          value={values.expires_at}
          onChange={at => set('expires_at', at)}
          error={errorOf('expires_at') && 'Choose a time in the future.'}
        />
      )}
    </FormModal>
  )
}

function endOf({ end, expires_at }: Pick<Values, 'end' | 'expires_at'>, now: number): string | null {
  if (end === 'date') return expires_at
  return end === 'never' ? null : new Date(now + Number(end) * 86_400_000).toISOString()
}
