import { Switch } from '@mantine/core'
import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick, PickMany } from '../form/pick.tsx'
import { SignalPick } from '../form/signal-pick.tsx'
import { useApi } from '../session/use-api.ts'
import { FirstPersonFields } from './first-person-fields.tsx'
import { toBody, toValues } from './rule-values.ts'
import type { UnlockRule } from './unlock-rule.ts'

/** Creates or edits an unlock rule. The site of a rule stays. */
export function EditUnlockRule({ rule, onClose }: { rule?: UnlockRule; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const draft = useDraft(toValues(rule), async values => {
    const body = toBody(values)
    const { id } = rule
      ? await client.unlock_rules.edit(rule.id, body)
      : await client.unlock_rules.create({ ...body, site_id: values.site_id ?? '' })
    refresh('unlock_rules', 'gadgets', 'modes')
    if (rule) onClose()
    else go(`/unlock-rules/${id}`, { replace: true })
  })
  const { values, set, errorOf } = draft
  return (
    <FormModal
      title={rule ? 'Edit unlock rule' : 'New unlock rule'}
      opened
      onClose={onClose}
      draft={draft}
      action={rule ? 'Save' : 'Create unlock rule'}
      size="lg"
    >
      <DeclaredField
        kind="unlock_rule"
        name="name"
        label="Name"
        draft={draft}
        description=""
        placeholder="Lobby in office hours"
        autoFocus
      />
      {!rule && (
        <Pick
          plural="sites"
          label="Site"
          required
          value={values.site_id}
          onChange={id => {
            set('site_id', id)
            set('gadget_ids', [])
          }}
          error={errorOf('site_id')}
        />
      )}
      <PickMany
        plural="gadgets"
        label="Doors"
        description="Each needs an action that keeps it unlocked."
        required
        disabled={values.site_id === null}
        {...(values.site_id && { query: { site_id: values.site_id } })}
        value={values.gadget_ids}
        onChange={ids => set('gadget_ids', ids)}
        error={errorOf('gadget_ids')}
      />
      <Pick
        plural="schedules"
        label="Unlocked during"
        description="Special days and exceptions of the schedule count."
        required
        value={values.schedule_id}
        onChange={id => set('schedule_id', id)}
        error={errorOf('schedule_id')}
      />
      <FirstPersonFields draft={draft} />
      <SignalPick
        label="When the last person leaves"
        description="A signal that locks the doors early."
        site_id={values.site_id}
        value={values.last_person_signal}
        onChange={signal => set('last_person_signal', signal)}
        error={errorOf('last_person_signal') ?? errorOf('last_person_signal.gadget_id')}
      />
      {rule && (
        <Switch
          label="In use"
          checked={values.is_enabled}
          onChange={event => set('is_enabled', event.currentTarget.checked)}
        />
      )}
    </FormModal>
  )
}
