import { Select } from '@mantine/core'
import type { useDraft } from '../form/draft.ts'
import { Pick } from '../form/pick.tsx'
import { alarmWords } from './alarm-words.ts'
import type { Values } from './trigger-values.ts'

/** An alarm of a door: which, and whether it begins or ends. */
export function SourceAlarm({ draft }: { draft: ReturnType<typeof useDraft<Values>> }) {
  const { values, set, errorOf } = draft
  return (
    <>
      <Pick
        plural="gadgets"
        label="Door"
        required
        value={values.source_gadget_id}
        onChange={id => set('source_gadget_id', id)}
        error={errorOf('source_gadget_id')}
      />
      <div className="pair">
        <Select
          label="Alarm"
          allowDeselect={false}
          value={values.source_alarm_type}
          onChange={type => set('source_alarm_type', type as Values['source_alarm_type'])}
          error={errorOf('source_alarm_type')}
          data={Object.entries(alarmWords).map(([value, label]) => ({ value, label }))}
        />
        <Select
          label="Event"
          allowDeselect={false}
          value={values.source_alarm_event}
          onChange={event => set('source_alarm_event', event as Values['source_alarm_event'])}
          error={errorOf('source_alarm_event')}
          data={[
            { value: 'begin', label: 'The alarm begins' },
            { value: 'end', label: 'The alarm ends' },
          ]}
        />
      </div>
    </>
  )
}
