import { KindInput } from '../calendars/kind-input.tsx'
import { kindWords } from '../calendars/kind-words.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import type { SpecialDay } from './schedule.ts'
import { TimesChoice, toRanges, toTimes } from './times-choice.tsx'

interface DialogProps {
  /** Undefined for a new one. */
  readonly day: SpecialDay | undefined
  readonly kinds: readonly string[]
  /** The kinds that the schedule reacts to already. */
  readonly taken: readonly string[]
  readonly onSave: (day: SpecialDay) => void
  readonly onClose: () => void
}

export function SpecialDayDialog({ day, kinds, taken, onSave, onClose }: DialogProps) {
  const free = kinds.filter(kind => !taken.includes(kind))
  const draft = useDraft(
    { kind: day?.kind ?? free[0] ?? '', times: toTimes(day?.ranges ?? []) },
    async ({ kind, times }) => {
      const ranges = toRanges(times)
      if (typeof ranges === 'string') return
      onSave({ kind, ranges: [...ranges] })
      onClose()
    },
  )
  const { kind, times } = draft.values
  const is_taken = taken.includes(kind)
  return (
    <FormModal
      title={day ? 'Edit special day' : 'New special day'}
      opened
      onClose={onClose}
      draft={draft}
      action={day ? 'Change' : 'Add special day'}
      is_empty={kind === '' || is_taken || typeof toRanges(times) === 'string'}
    >
      <KindInput
        kinds={free}
        value={kind}
        onChange={value => draft.set('kind', value)}
        error={is_taken ? `This schedule already has times for “${kindWords(kind)}”` : undefined}
      />
      <TimesChoice value={times} onChange={value => draft.set('times', value)} />
    </FormModal>
  )
}
