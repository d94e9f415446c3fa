import type { SiteZone } from '@gatehouse-access/api'
import { useEffect, useRef } from 'react'
import { t } from '../language/t.ts'
import { momentsIn } from '../parts/door-time.ts'
import { instantAt, localTime } from '../parts/local-clock.ts'
import { browserZone, formatMoment } from '../parts/time.tsx'
import { ClockInput } from './clock-input.tsx'
import { DayPicker } from './day-picker.tsx'
import { readMoment } from './read-date.ts'
import { TypedInput } from './typed-input.tsx'

/** By which clocks times are told. */
export interface Zoned {
  /** The time zone of the input, by the data of the service. Defaults to the browser's. */
  readonly zone?: SiteZone | undefined
  /** Zones in which the time is shown beside. */
  readonly others?: readonly string[]
}

interface MomentInputProps extends Zoned {
  readonly label: string
  readonly value: string | null
  readonly onChange: (timestamp: string | null) => void
  /** Comes before the zone. Empty: the zone is named once a time is set. */
  readonly description?: string
  readonly error?: string | undefined
  readonly placeholder?: string
}

/** Edits a timestamp in the local time of a zone, shown in the language of the console. An empty input is null. */
export function MomentInput(props: MomentInputProps) {
  const { label, value, onChange, zone, error, placeholder } = props
  const wall = value ? toWallClock(value, zone) : ''
  const said = useRef<string>(undefined)
  const change = (next: string) => {
    said.current = next
    onChange(fromWallClock(next, zone))
  }
  // What somebody said is meant by the clocks of the place, also where the place is chosen later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the zone tells.
  useEffect(() => {
    if (said.current) onChange(fromWallClock(said.current, zone))
  }, [zone?.timezone])
  const [date = '', clock = ''] = wall.split('T')
  return (
    <TypedInput
      label={label}
      description={describe(props)}
      placeholder={placeholder}
      error={error}
      value={wall}
      onChange={change}
      format={formatWall}
      read={readMoment}
      hint={t(`Write a date and a time such as ${formatWall('2026-11-14T18:00')}`)}
      picker={
        <DayPicker
          of={label}
          value={date}
          onChange={day => change(day && `${day}T${clock || usualClock}`)}
          has_more
        >
          {date && (
            <ClockInput label="Time" value={clock} onChange={next => next && change(`${date}T${next}`)} />
          )}
        </DayPicker>
      }
    />
  )
}

/** Of a day that was picked, until somebody says another. */
const usualClock = '12:00'

function formatWall(wall: string): string {
  return formatMoment(`${wall}Z`, 'UTC')
}

function describe({ value, zone, others = [], description }: MomentInputProps): string {
  if (description === '' && !value) return ''
  const beside = value ? momentsIn(value, others) : []
  return [description, (zone?.timezone ?? browserZone).replaceAll('_', ' '), ...beside]
    .filter(Boolean)
    .join(' · ')
}

function toWallClock(timestamp: string, zone: SiteZone | undefined): string {
  if (zone) return localTime(zone, Date.parse(timestamp)).toISOString().slice(0, 16)
  const local = Temporal.Instant.from(timestamp).toZonedDateTimeISO(browserZone).toPlainDateTime()
  return local.toString({ smallestUnit: 'minute' })
}

function fromWallClock(text: string, zone: SiteZone | undefined): string | null {
  if (!text) return null
  const instant = zone
    ? Temporal.Instant.fromEpochMilliseconds(instantAt(zone, text))
    : Temporal.PlainDateTime.from(text).toZonedDateTime(browserZone).toInstant()
  return instant.toString({ fractionalSecondDigits: 6 })
}
