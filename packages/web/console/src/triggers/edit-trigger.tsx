import { Input, SegmentedControl, Select } from '@mantine/core'
import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { type Draft, useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { GadgetPart } from './gadget-part.tsx'
import { SourceAlarm } from './source-alarm.tsx'
import type { Trigger } from './trigger.ts'
import { type SourceType, toBody, toValues, type Values } from './trigger-values.ts'

export function EditTrigger({ trigger, onClose }: { trigger?: Trigger; onClose: () => void }) {
  const { client, sees_all } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const draft = useDraft(toValues(trigger), async values => {
    const body = toBody(values)
    const { id } = trigger
      ? await client.gadget_triggers.edit(trigger.id, body)
      : await client.gadget_triggers.create(body)
    refresh('gadget_triggers')
    if (trigger) onClose()
    else go(`/triggers/${id}`, { replace: true })
  })
  const { values, set, errorOf } = draft
  return (
    <FormModal
      title={trigger ? 'Edit trigger' : 'New trigger'}
      opened
      onClose={onClose}
      draft={draft}
      action={trigger ? 'Save' : 'Create trigger'}
      size="lg"
    >
      <Input.Wrapper label="When">
        <SegmentedControl
          fullWidth
          aria-label="Triggered by"
          value={values.source_type}
          onChange={type => set('source_type', type as SourceType)}
          data={[
            { value: 'state', label: 'State change' },
            { value: 'signal', label: 'Signal' },
            // Without reading schedules, nobody can choose one.
            ...(sees_all || values.source_type === 'schedule'
              ? [{ value: 'schedule', label: 'Schedule' }]
              : []),
            { value: 'alarm', label: 'Alarm' },
          ]}
        />
      </Input.Wrapper>
      {values.source_type === 'schedule' ? (
        <div className="pair">
          {sees_all && (
            <Pick
              plural="schedules"
              label="Schedule"
              required
              value={values.source_schedule_id}
              onChange={id => set('source_schedule_id', id)}
              error={errorOf('source_schedule_id')}
            />
          )}
          <Select
            label="Event"
            allowDeselect={false}
            value={values.source_schedule_event}
            onChange={event => set('source_schedule_event', event as Values['source_schedule_event'])}
            error={errorOf('source_schedule_event')}
            data={[
              { value: 'enter', label: 'A scheduled time starts' },
              { value: 'exit', label: 'A scheduled time ends' },
            ]}
          />
        </div>
      ) : values.source_type === 'alarm' ? (
        <SourceAlarm draft={draft} />
      ) : (
        <SourceGadget draft={draft} />
      )}
      <GadgetPart
        draft={draft}
        side="target"
        part="target_action_id"
        label="Then run on"
        part_label={t('Action')}
        keeps_site
      />
    </FormModal>
  )
}

function SourceGadget({ draft }: { draft: Draft<Values> }) {
  return draft.values.source_type === 'state' ? (
    <GadgetPart
      draft={draft}
      side="source"
      part="source_state_id"
      label="Door"
      part_label={t('New state')}
      none={t('No states')}
    />
  ) : (
    <GadgetPart
      draft={draft}
      side="source"
      part="source_signal_id"
      label="Door"
      part_label={t('Signal')}
      none={t('No signals')}
    />
  )
}
