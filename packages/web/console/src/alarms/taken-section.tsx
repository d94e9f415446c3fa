import { Button } from '@mantine/core'
import { useMemo } from 'react'
import type { QueryOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { Section } from '../parts/page.tsx'
import { type Alarm, alarmExpands } from './alarm.ts'
import { AlarmRow } from './alarm-row.tsx'
import type { AlarmFilters } from './filters.ts'
import { fold } from './fold.ts'
import type { AlarmListActions } from './use-alarm-list.ts'

/** What somebody takes care of. Hidden while there is nothing. */
export function TakenSection({ filters, actions }: { filters: AlarmFilters; actions: AlarmListActions }) {
  const query = { ...filters, state: 'acknowledged', expand: alarmExpands } as QueryOf<'alarms'>
  const list = useList<'alarms', Alarm>('alarms', query)
  // A cause that is open or closed is in its own list, so nothing is folded under it here.
  const folded = useMemo(
    () =>
      fold(
        list.items.map(alarm =>
          alarm.cause_alarm?.state === 'acknowledged' ? alarm : { ...alarm, cause_alarm: null },
        ),
      ),
    [list.items],
  )
  if (folded.length === 0) return null
  return (
    <Section title="Acknowledged" about="Closes by itself some time after it is over" flush>
      <ul className="alarms-list" aria-label="Acknowledged alarms">
        {folded.map(one => (
          <AlarmRow key={one.head.id} folded={one} actions={actions} is_unfolded={false} />
        ))}
      </ul>
      {list.has_more && (
        <div className="alarms-rest">
          <Button variant="default" onClick={list.loadMore}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  )
}
