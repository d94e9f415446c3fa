import { TextInput } from '@mantine/core'
import { browserZone } from '../parts/time.tsx'

interface MomentInputProps {
  readonly label: string
  readonly value: string | null
  readonly onChange: (timestamp: string | null) => void
  /** The time zone of the input. Defaults to the browser's. */
  readonly zone?: string
  readonly description?: string
  readonly error?: string | undefined
}

/** Edits a timestamp in the local time of a zone. An empty input is null. */
export function MomentInput({
  label,
  value,
  onChange,
  zone = browserZone,
  description,
  error,
}: MomentInputProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={description ?? zone.replaceAll('_', ' ')}
      error={error}
      value={value ? toWallClock(value, zone) : ''}
      onChange={event => onChange(fromWallClock(event.currentTarget.value, zone))}
    />
  )
}

function toWallClock(timestamp: string, zone: string): string {
  const local = Temporal.Instant.from(timestamp).toZonedDateTimeISO(zone).toPlainDateTime()
  return local.toString({ smallestUnit: 'minute' })
}

function fromWallClock(text: string, zone: string): string | null {
  if (!text) return null
  return Temporal.PlainDateTime.from(text)
    .toZonedDateTime(zone)
    .toInstant()
    .toString({ fractionalSecondDigits: 6 })
}
