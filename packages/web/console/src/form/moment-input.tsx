import type { SiteZone } from '@gatehouse-access/api'
import { TextInput } from '@mantine/core'
import { zoneWords } from '../parts/door-time.ts'
import { instantAt, localTime } from '../parts/local-clock.ts'
import { browserZone, formatMoment } from '../parts/time.tsx'

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
  /** Comes before the zone. Empty: without the zone, too. */
  readonly description?: string
  readonly error?: string | undefined
}

/** Edits a timestamp in the local time of a zone. An empty input is null. */
export function MomentInput(props: MomentInputProps) {
  const { label, value, onChange, zone, error } = props
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={describe(props)}
      error={error}
      value={value ? toWallClock(value, zone) : ''}
      onChange={event => onChange(fromWallClock(event.currentTarget.value, zone))}
    />
  )
}

function describe({ value, zone, others = [], description }: MomentInputProps): string {
  if (description === '') return ''
  const beside = value ? others.map(other => `${formatMoment(value, other)} (${zoneWords(other)})`) : []
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
