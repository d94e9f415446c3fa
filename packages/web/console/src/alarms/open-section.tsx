import { Button, Checkbox, Kbd } from '@mantine/core'
import { useMemo } from 'react'
import { IconCheck, IconCircleCheck } from '../icons/icons.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { AlarmRow } from './alarm-row.tsx'
import type { AlarmFilters } from './filters.ts'
import type { Folded } from './fold.ts'
import type { AlarmListActions } from './use-alarm-list.ts'
import { type OpenAlarms, useOpenAlarms } from './use-open-alarms.ts'
import { useRowKeys } from './use-row-keys.ts'

interface OpenSectionProps {
  readonly filters: AlarmFilters
  readonly actions: AlarmListActions
}

/** What nobody has taken yet, gravest first. */
export function OpenSection({ filters, actions }: OpenSectionProps) {
  const open = useOpenAlarms(filters)
  const { may_write } = useApi()
  const is_filtered = Object.keys(filters).length > 0
  const byId = useMemo(() => findEach(open.folded), [open.folded])
  const { list, onKeyDown } = useRowKeys(id => {
    const found = may_write && byId.get(id)
    if (found) void actions.acknowledge([found])
  })
  const is_empty = !open.is_loading && !open.error && open.folded.length === 0
  return (
    <Section
      title={t('Open', 'alarms')}
      about={countWords(open)}
      flush
      actions={may_write && !is_empty && <Hint />}
    >
      {open.is_loading && (
        <div className="section-body">
          <LoadingLines lines={4} />
        </div>
      )}
      {open.error && <Failure error={open.error} retry={open.refetch} />}
      {is_empty && (
        <Empty icon={<IconCircleCheck />} title={is_filtered ? 'No open alarms match' : 'No open alarms'}>
          {is_filtered
            ? 'Remove a filter to see more.'
            : 'What goes wrong at doors and devices appears here by itself.'}
        </Empty>
      )}
      {may_write && !is_empty && !open.is_loading && <Choosing folded={open.folded} actions={actions} />}
      <ul className="alarms-list" aria-label="Open alarms" ref={list} onKeyDown={onKeyDown}>
        {open.folded.map(folded => (
          <AlarmRow
            key={folded.head.id}
            folded={folded}
            actions={actions}
            is_unfolded={is_filtered}
            is_chosen_from={may_write}
          />
        ))}
      </ul>
      {open.has_more && (
        <div className="alarms-rest">
          <Button variant="default" onClick={open.loadMore}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  )
}

function Hint() {
  return (
    <span className="alarms-hint soft on-desktop">
      <Kbd size="xs">a</Kbd> acknowledges, <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> move
    </span>
  )
}

function countWords({ count, has_more, is_loading }: OpenAlarms): string {
  if (is_loading) return ' '
  return has_more
    ? t(`More than ${count.toLocaleString(locale)}`)
    : t(`${count.toLocaleString(locale)} in all`)
}

/** Finds the alarms that keys act on: a cause takes along what it explains, an explained one only itself. */
function findEach(folded: readonly Folded[]): ReadonlyMap<string, Folded> {
  return new Map(
    folded.flatMap(one => [
      [one.head.id, one] as const,
      ...one.explained.map(head => [head.id, { head, explained: [] }] as const),
    ]),
  )
}

/** Chooses several, and acknowledges them at once. Stays in reach while the list is long. */
function Choosing({ folded, actions }: { folded: readonly Folded[]; actions: AlarmListActions }) {
  const chosen = folded.filter(({ head }) => actions.chosen.has(head.id))
  const all = folded.map(({ head }) => head.id)
  return (
    <div className="alarms-choosing" data-active={chosen.length > 0}>
      <Checkbox
        label={chosen.length === 0 ? 'Choose all' : `${chosen.length.toLocaleString(locale)} chosen`}
        checked={chosen.length === folded.length}
        indeterminate={chosen.length > 0 && chosen.length < folded.length}
        onChange={event => actions.choose(all, event.currentTarget.checked)}
      />
      {chosen.length > 0 && (
        <Button leftSection={<IconCheck size={14} />} onClick={() => void actions.acknowledge(chosen)}>
          {chosen.length === 1 ? 'Acknowledge' : `Acknowledge ${chosen.length}`}
        </Button>
      )}
    </div>
  )
}
