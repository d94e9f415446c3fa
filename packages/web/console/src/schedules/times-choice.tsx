import { SegmentedControl, Stack, TextInput } from '@mantine/core'
import { t } from '../language/t.ts'
import { formatDate } from '../parts/dates.ts'
import type { Range } from './slots.ts'
import { clockText, type Night, nightText, parseNight, timesText } from './times-text.ts'
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

/** Returns the times, which may go on after midnight, or a message that says what is wrong. */
export function toNight({ is_closed, text }: Times): Night | string {
  if (is_closed) return { ranges: [], until: 0 }
  const parsed = parseNight(text)
  if (typeof parsed === 'string') return parsed
  return parsed.ranges.length === 0 ? t('Enter times such as 08:00-12:00, or choose Closed') : parsed
}

/** Returns the same for a day of which nobody knows the next: there, the morning has no place. */
export function toRanges(times: Times): readonly Range[] | string {
  const night = toNight(times)
  if (typeof night === 'string') return night
  const morning = clockText(night.until)
  return night.until === 0
    ? night.ranges
    : t(
        `End at 24:00: write ${timesText(night)}. Until ${morning}, the day after has its own times, so add 00:00-${morning} there`,
      )
}

interface ChoiceProps {
  readonly value: Times
  readonly onChange: (value: Times) => void
  /** Says where the morning of a night goes. Omitted if it has no place. */
  readonly sayNight?: (until: number) => string | undefined
  /** What is wrong with them, although they are times. */
  readonly problem?: string | undefined
}

/** Chooses between closed and other times, which are painted or typed. */
export function TimesChoice({ value, onChange, sayNight, problem }: ChoiceProps) {
  const night = toNight(value)
  const taken = sayNight ? night : toRanges(value)
  const { ranges, until } = typeof night === 'string' ? { ranges: [], until: 0 } : night
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
            weekdays={[{ ranges }]}
            onChange={([day]) => day && onChange({ ...value, text: nightText({ ...day, until }) })}
            readOnly={false}
          />
          <TextInput
            label="Exact times"
            description={(until > 0 && sayNight?.(until)) || 'For example 08:00-12:30, 13:15-18:00'}
            value={value.text}
            error={typeof taken === 'string' ? taken : problem}
            onChange={event => onChange({ ...value, text: event.currentTarget.value })}
          />
        </>
      )}
    </Stack>
  )
}

/** Why a night cannot go on into a date that has other times at another site: an exception holds at all of them. */
export function differentWords(next: string, site: string): string {
  const date = formatDate(next, 'medium')
  return t(`${date} has other times at ${site}. End at 24:00, or first set an exception for ${date}`)
}

const oneDay = [t('Day')]
