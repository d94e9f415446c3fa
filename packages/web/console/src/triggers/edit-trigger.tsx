import { Input, SegmentedControl, Select } from '@mantine/core'
import { useLocation } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { useApi } from '../session/use-api.ts'
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
  const target = useObject('gadgets', values.target_gadget_id).data
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
      <div className="pair">
        <Pick
          plural="gadgets"
          label="Then run on"
          required
          {...(target && { query: { site_id: target.site_id } })}
          value={values.target_gadget_id}
          onChange={id => {
            set('target_gadget_id', id)
            set('target_action_id', null)
          }}
          error={errorOf('target_gadget_id')}
        />
        <Select
          label="Action"
          required
          allowDeselect={false}
          disabled={!target}
          value={values.target_action_id}
          onChange={id => set('target_action_id', id)}
          error={errorOf('target_action_id')}
          data={target?.actions.map(toOption) ?? []}
        />
      </div>
    </FormModal>
  )
}

function SourceGadget({ draft }: { draft: ReturnType<typeof useDraft<Values>> }) {
  const { values, set, errorOf } = draft
  const source = useObject('gadgets', values.source_gadget_id).data
  const is_state = values.source_type === 'state'
  const field = is_state ? 'source_state_id' : 'source_signal_id'
  const parts = (is_state ? source?.states : source?.signals) ?? []
  return (
    <div className="pair">
      <Pick
        plural="gadgets"
        label="Door"
        required
        value={values.source_gadget_id}
        onChange={id => {
          set('source_gadget_id', id)
          set('source_state_id', null)
          set('source_signal_id', null)
        }}
        error={errorOf('source_gadget_id')}
      />
      <Select
        label={is_state ? 'New state' : 'Signal'}
        required
        allowDeselect={false}
        disabled={parts.length === 0}
        placeholder={source && parts.length === 0 ? `No ${is_state ? 'states' : 'signals'}` : ''}
        value={values[field]}
        onChange={id => set(field, id)}
        error={errorOf(field)}
        data={parts.map(toOption)}
      />
    </div>
  )
}

function toOption({ id, name }: { readonly id: string; readonly name: string }) {
  return { value: id, label: name }
}
