import { Select, TextInput } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { SecretInput } from './secret-input.tsx'
import type { Target } from './target.ts'
import { toBody, toValues } from './target-values.ts'

const kinds = [
  { value: 'email', label: 'Email' },
  { value: 'ntfy', label: 'ntfy' },
  { value: 'http', label: 'HTTP, a receiver of your own' },
]

interface EditTargetProps {
  readonly target?: Target
  readonly onClose: () => void
  readonly onDone: (target: Target) => void
}

/** Creates or edits a target. Its kind stays. Secrets are never shown, so an empty one keeps the one that is set. */
export function EditTarget({ target, onClose, onDone }: EditTargetProps) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft(toValues(target), async values => {
    const body = toBody(values, target)
    const saved = target
      ? await client.notification_targets.edit(target.id, body)
      : await client.notification_targets.create({ ...body, kind: values.kind })
    refresh('notification_targets')
    onDone(saved)
  })
  const { values, set, errorOf } = draft
  const text = (name: 'name' | 'address' | 'url' | 'topic', label: string, more: object = {}) => (
    <TextInput
      label={label}
      value={values[name]}
      error={errorOf(name)}
      onChange={event => set(name, event.currentTarget.value)}
      {...more}
    />
  )
  return (
    <FormModal
      title={target ? 'Edit target' : 'New target'}
      opened
      onClose={onClose}
      draft={draft}
      action={target ? 'Save' : 'Create target'}
    >
      {!target && (
        <Select
          label="Kind"
          data={kinds}
          allowDeselect={false}
          value={values.kind}
          onChange={kind => kind && set('kind', kind as Target['kind'])}
        />
      )}
      {values.kind === 'email' &&
        text('address', t('Email address'), {
          type: 'email',
          required: true,
          description: 'A code proves that somebody there wants these emails.',
        })}
      {values.kind === 'ntfy' &&
        text('url', t('Server'), { type: 'url', required: true, placeholder: 'https://ntfy.sh' })}
      {values.kind === 'ntfy' &&
        text('topic', t('Topic'), { required: true, description: 'Whoever knows the topic can read it.' })}
      {values.kind === 'http' &&
        text('url', 'URL', {
          type: 'url',
          required: true,
          description: 'Each message is a signed POST of JSON.',
        })}
      {values.kind !== 'email' && <SecretInput draft={draft} is_new={!target} />}
      {text('name', t('Name'), {
        description: 'As rules call it. Defaults to the address, the topic or the host.',
        maxLength: 255,
      })}
    </FormModal>
  )
}
