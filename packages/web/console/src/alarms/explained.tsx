import type { QueryOf } from '../data/collections.ts'
import { type List, useList } from '../data/use-list.ts'
import { t } from '../language/t.ts'
import { Section } from '../parts/page.tsx'
import { type Alarm, alarmExpands } from './alarm.ts'
import { AlarmText } from './alarm-row.tsx'
import { SeverityIcon } from './marks.tsx'

export function useExplained({ id }: Alarm): List<Alarm> {
  const query = { cause_alarm_id: id, expand: alarmExpands } as QueryOf<'alarms'>
  return useList<'alarms', Alarm>('alarms', query)
}

/** The alarms that this one explains. Hidden if there are none. */
export function Explained({ alarm }: { alarm: Alarm }) {
  const { items, has_more } = useExplained(alarm)
  if (items.length === 0) return null
  const about = t(`${items.length}${has_more ? t(' or more') : ''} that nobody is told of`)
  return (
    <Section title="What it explains" about={about} flush>
      <ul className="alarms-list">
        {items.map(one => (
          <li key={one.id} className="alarm-row">
            <SeverityIcon severity={one.severity} is_over={one.is_over} />
            <AlarmText alarm={one} with_state />
          </li>
        ))}
      </ul>
    </Section>
  )
}
