import { MultiSelect, Switch } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { SecondsSelect } from '../form/seconds-select.tsx'
import { useApi } from '../session/use-api.ts'
import { MoreChoices } from './more-choices.tsx'
import { PlaceFields } from './place-fields.tsx'
import { RecipientsInput } from './recipients-input.tsx'
import { RuleSentence } from './rule-sentence.tsx'
import { type AlarmRule, toBody, toValues } from './rule-values.ts'
import { typeChoices } from './type-choices.ts'

const minute = 60
const hour = 3600

/** Creates or edits a rule. The sentence at the top says what it does while it is being written. */
export function EditRule({ rule, onClose }: { rule?: AlarmRule; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft(toValues(rule), async values => {
    const body = toBody(values)
    if (rule) await client.alarm_rules.edit(rule.id, body)
    else await client.alarm_rules.create(body)
    refresh('alarm_rules')
    onClose()
  })
  const { values, set, errorOf } = draft
  return (
    <FormModal
      title={rule ? 'Edit rule' : 'New rule'}
      opened
      onClose={onClose}
      draft={draft}
      action={rule ? 'Save' : 'Create rule'}
      size="lg"
      is_empty={values.types.length === 0 || values.notify.length === 0}
    >
      <p className="rule-preview" role="status" aria-label="What the rule does">
        <RuleSentence rule={values} />
      </p>
      <DeclaredField
        kind="alarm_rule"
        name="name"
        label="Name"
        draft={draft}
        description=""
        placeholder="Doors at night"
        autoFocus
      />
      <MultiSelect
        label="Alarms"
        required
        data={typeChoices}
        placeholder={values.types.length === 0 ? 'Search…' : ''}
        value={[...values.types]}
        onChange={types => set('types', types as typeof values.types)}
        error={errorOf('types')}
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage="No such alarm"
      />
      <RecipientsInput
        label="Who is told"
        description="People choose in Your notifications whether by push or email."
        value={values.notify}
        onChange={keys => set('notify', keys)}
        error={errorOf('notify')}
      />
      <PlaceFields draft={draft} />
      <Pick
        plural="schedules"
        label="When"
        description="What is still on when the schedule begins is told then."
        placeholder="Always"
        value={values.schedule_id}
        onChange={id => set('schedule_id', id)}
        error={errorOf('schedule_id')}
      />
      <div className="pair">
        <SecondsSelect
          label="Once it has held for"
          none="As usual for the type"
          zero="At once"
          options={[0, 30, minute, 2 * minute, 5 * minute, 15 * minute, hour]}
          value={values.delay_seconds}
          onChange={seconds => set('delay_seconds', seconds)}
          error={errorOf('delay_seconds')}
        />
        <SecondsSelect
          label="Again until acknowledged"
          none="No, once"
          options={[minute, 5 * minute, 10 * minute, 30 * minute, hour, 4 * hour, 24 * hour]}
          value={values.repeat_seconds}
          onChange={seconds => set('repeat_seconds', seconds)}
          error={errorOf('repeat_seconds')}
        />
      </div>
      <MoreChoices draft={draft} />
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
