import { usualThresholds } from '@gatehouse-access/core'
import { NumberInput, Select } from '@mantine/core'
import { severities, severityNames } from '../alarms/alarm.ts'
import type { Draft } from '../form/draft.ts'
import { SecondsSelect } from '../form/seconds-select.tsx'
import { t } from '../language/t.ts'
import { Escalation } from './escalation.tsx'
import type { RuleValues } from './rule-values.ts'

const hour = 3600

/** What most rules leave as it is. Open if this one does not. */
export function MoreChoices({ draft }: { draft: Draft<RuleValues> }) {
  const { values, set, errorOf } = draft
  return (
    <details className="rule-more" open={isUnusual(draft.base)}>
      <summary>Escalation and more</summary>
      <div className="rule-more-body">
        <Escalation draft={draft} />
        <Thresholds draft={draft} />
        <div className="pair">
          <Select
            label="Severity"
            data={[
              { value: '', label: 'As usual for the type' },
              ...severities.map(value => ({ value, label: severityNames[value] })),
            ]}
            allowDeselect={false}
            value={values.severity ?? ''}
            onChange={severity => set('severity', (severity || null) as RuleValues['severity'])}
            error={errorOf('severity')}
          />
          <SecondsSelect
            label="Acknowledged and over, it closes"
            zero="At once"
            options={[0, 300, hour, 24 * hour, 7 * 24 * hour]}
            value={values.auto_close_seconds}
            onChange={seconds => set('auto_close_seconds', seconds ?? 0)}
            error={errorOf('auto_close_seconds')}
          />
        </div>
      </div>
    </details>
  )
}

function isUnusual({ severity, auto_close_seconds, escalate, count, seconds, percent }: RuleValues): boolean {
  const is_set = [severity, count, seconds, percent].some(value => value !== null)
  return is_set || auto_close_seconds > 0 || escalate.length > 0
}

/** From when on it is an alarm, for the types that count or measure. */
function Thresholds({ draft: { values, set, errorOf } }: { draft: Draft<RuleValues> }) {
  const number = (name: 'count' | 'percent', label: string, min: number, max: number) => (
    <NumberInput
      label={label}
      placeholder={String(usualThresholds[name])}
      min={min}
      max={max}
      allowDecimal={false}
      value={values[name] ?? ''}
      onChange={value => set(name, value === '' ? null : Number(value))}
      error={errorOf(`thresholds.${name}`)}
    />
  )
  return (
    <>
      {values.types.includes('access_denied_often') && (
        <div className="pair">
          {number('count', t('Denials'), 2, 1000)}
          <SecondsSelect
            label="Within"
            none="5 minutes"
            options={[60, 600, 1800, hour]}
            value={values.seconds}
            onChange={seconds => set('seconds', seconds)}
            error={errorOf('thresholds.seconds')}
          />
        </div>
      )}
      {values.types.includes('device_battery_low') &&
        number('percent', t('Battery under, in percent'), 1, 99)}
    </>
  )
}
