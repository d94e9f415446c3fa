import { Button } from '@mantine/core'
import { Link, useSearchParams } from 'wouter'
import { OfferRule } from '../alarm-rules/offer-rule.tsx'
import { IconBellCog } from '../icons/icons.ts'
import { resolveSpan } from '../lists/days-filter.ts'
import { Later } from '../parts/later.tsx'
import { Page } from '../parts/page.tsx'
import { ClosedSection } from './closed-section.tsx'
import { AlarmFilterBar } from './filter-bar.tsx'
import { type AlarmFilters, readFilters } from './filters.ts'
import { OpenSection } from './open-section.tsx'
import { SnoozeDialog } from './snooze-dialog.tsx'
import { TakenSection } from './taken-section.tsx'
import { useAlarmList } from './use-alarm-list.ts'
import './alarms.css'

/** Everything that went wrong: open first, then what somebody takes care of, then what is done with. */
export function AlarmList() {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const query: AlarmFilters = resolveSpan(filters, 'started_at')
  const actions = useAlarmList()
  const change = (name: keyof AlarmFilters, value: string | null) => {
    const { [name]: _, ...rest } = filters
    setParams(value === null ? rest : { ...rest, [name]: value })
  }
  return (
    <Page
      title="Alarms"
      actions={
        <Button
          component={Link}
          href="/alarms/rules"
          variant="default"
          leftSection={<IconBellCog size={14} />}
        >
          Who is told
        </Button>
      }
    >
      <OfferRule />
      <AlarmFilterBar filters={filters} onChange={change} />
      <div className="stack">
        <OpenSection filters={query} actions={actions} />
        <TakenSection filters={query} actions={actions} />
        <Later>
          <ClosedSection filters={query} />
        </Later>
      </div>
      {actions.snoozing && (
        <SnoozeDialog alarm={actions.snoozing} onClose={() => actions.askSnooze(undefined)} />
      )}
    </Page>
  )
}
