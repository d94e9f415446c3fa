import { SegmentedControl, Stack, TextInput } from '@mantine/core'
import { t } from '../language/t.ts'
import type { Range } from './slots.ts'
import { parseTimes, timesText } from './times-text.ts'
import { WeekGrid } from './week-grid.tsx'

/** The times of one day. The text is what the user typed, valid or not. */
export interface Times {
  readonly is_closed: boolean
  readonly text: string
}

const usual: readonly Range[] = [{ start: 8 * 3600, end: 12 * 3600 }]

export function toTimes(ranges: readonly Range[]): Times {
  return { is_closed: ranges.length === 0, text: timesText({ ranges: ranges.length === 0 ? usual : ranges }) }
}

/** Returns the ranges, or a message that says what is wrong. */
export function toRanges({ is_closed, text }: Times): readonly Range[] | string {
  if (is_closed) return []
  const parsed = parseTimes(text)
  if (typeof parsed === 'string') return parsed
  return parsed.ranges.length === 0 ? t('Enter times such as 08:00-12:00, or choose Closed') : parsed.ranges
}

interface ChoiceProps {
  readonly value: Times
  readonly onChange: (value: Times) => void
}

/** Chooses between closed and other times, which are painted or typed. */
export function TimesChoice({ value, onChange }: ChoiceProps) {
  const ranges = toRanges(value)
  return (
    <Stack gap={8}>
      <SegmentedControl
        fullWidth
        aria-label="Times"
        value={value.is_closed ? 'closed' : 'times'}
        onChange={choice => onChange({ ...value, is_closed: choice === 'closed' })}
        data={[
          { value: 'closed', label: 'Closed' },
          { value: 'times', label: 'Other times' },
        ]}
      />
      {!value.is_closed && (
        <>
          <WeekGrid
            label="Times of the day"
            names={oneDay}
            weekdays={[{ ranges: typeof ranges === 'string' ? [] : ranges }]}
            onChange={([day]) => day && onChange({ ...value, text: timesText(day) })}
            readOnly={false}
          />
          <TextInput
            label="Exact times"
            description="For example 08:00-12:30, 13:15-18:00"
            value={value.text}
            error={typeof ranges === 'string' ? ranges : undefined}
            onChange={event => onChange({ ...value, text: event.currentTarget.value })}
          />
        </>
      )}
    </Stack>
  )
}

const oneDay = [t('Day')]
