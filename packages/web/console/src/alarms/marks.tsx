import { Badge } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '../icons/icons.ts'
import { inZone } from '../parts/door-time.ts'
import { formatMoment } from '../parts/time.tsx'
import { type Alarm, type Severity, severityColors, severityNames } from './alarm.ts'

const icons = { critical: IconAlertCircle, warning: IconAlertTriangle, info: IconInfoCircle } as const

/** How severe an alarm is, by color and by shape. */
export function SeverityIcon({ severity, is_over }: { severity: Severity; is_over?: boolean }) {
  const Icon = icons[severity]
  return (
    <span
      className="alarm-icon"
      data-severity={severity}
      data-over={is_over ?? false}
      role="img"
      aria-label={severityNames[severity]}
      title={severityNames[severity]}
    >
      <Icon size={17} stroke={1.8} />
    </span>
  )
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  return <Badge color={severityColors[severity]}>{severityNames[severity]}</Badge>
}

export function StateBadge({ alarm: { state, snoozed_until, site } }: { alarm: Alarm }) {
  if (state === 'open') return <Badge color="red">Open</Badge>
  if (state === 'closed') return <Badge color="gray">Closed</Badge>
  return (
    <Badge color="teal">
      {snoozed_until ? (
        <>Snoozed until {inZone(formatMoment(snoozed_until, site?.timezone), site ?? undefined)}</>
      ) : (
        'Acknowledged'
      )}
    </Badge>
  )
}

/** What else is to be known before somebody runs to the door. */
export function AlarmMarks({ alarm }: { alarm: Alarm }) {
  return (
    <>
      {alarm.is_flapping && <Badge color="yellow">Comes and goes</Badge>}
      {alarm.is_drill && <Badge color="blue">Drill</Badge>}
      {alarm.in_maintenance && <Badge color="gray">In maintenance</Badge>}
      {alarm.is_late && <Badge color="gray">Reported late</Badge>}
    </>
  )
}
