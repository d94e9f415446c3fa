import { ActionIcon, Button } from '@mantine/core'
import type { Draft } from '../form/draft.ts'
import { SecondsSelect } from '../form/seconds-select.tsx'
import { IconPlus, IconTrash } from '../icons/icons.ts'
import { RecipientsInput } from './recipients-input.tsx'
import type { RuleValues, Step } from './rule-values.ts'

const most = 3
const minute = 60
const lengths = [5, 10, 15, 30, 60, 120, 240, 1440].map(minutes => minutes * minute)

/** Who else is told while nobody has acknowledged the alarm. */
export function Escalation({ draft: { values, set, errorOf } }: { draft: Draft<RuleValues> }) {
  const steps = values.escalate
  const change = (index: number, next: Step | undefined) =>
    set(
      'escalate',
      steps.flatMap((step, at) => (at !== index ? [step] : next ? [next] : [])),
    )
  const last = steps.at(-1)?.after_seconds ?? 0
  const add = () => {
    const after_seconds = lengths.find(length => length > last) ?? last * 2
    set('escalate', [...steps, { after_seconds, notify: [] }])
  }
  return (
    <fieldset className="rule-steps">
      <legend>While nobody acknowledges it</legend>
      {steps.map((step, index) => (
        <div key={index} className="rule-step">
          <SecondsSelect
            label="After"
            options={lengths}
            value={step.after_seconds}
            onChange={seconds => change(index, { ...step, after_seconds: seconds ?? 600 })}
            error={errorOf(`escalate.${index}.after_seconds`)}
          />
          <RecipientsInput
            label="also tell"
            value={step.notify}
            onChange={notify => change(index, { ...step, notify })}
            error={errorOf(`escalate.${index}.notify`)}
          />
          <ActionIcon
            size="lg"
            aria-label={`Remove step ${index + 1}`}
            onClick={() => change(index, undefined)}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </div>
      ))}
      {steps.length < most && (
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          Add a step
        </Button>
      )}
    </fieldset>
  )
}
