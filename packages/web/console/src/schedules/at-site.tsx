import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useList } from '../data/use-list.ts'
import { useObject } from '../data/use-object.ts'
import type { Draft } from '../form/draft.ts'
import { Pick } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { formatDates } from '../parts/dates.ts'
import { localDate } from '../parts/local-clock.ts'
import { useNow } from '../parts/time.tsx'
import { ClockChange } from './clock-change.tsx'
import { ExceptionDialog } from './exception-dialog.tsx'
import { Exceptions } from './exceptions.tsx'
import { NextDays } from './next-days.tsx'
import { type Exception, exceptionOn, type ScheduleValues } from './schedule.ts'
import { SpecialDays } from './special-days.tsx'
import { useZone } from './use-site-days.ts'
import type { AtSite as At } from './use-site-year.ts'
import { YearSection } from './year-section.tsx'

interface Change {
  readonly message: string
  /** The exceptions before it. */
  readonly before: readonly Exception[]
}

interface AtSiteProps {
  readonly schedule_id: string
  readonly draft: Draft<ScheduleValues>
  readonly may_write: boolean
  /** Shown below the preview. */
  readonly children: ReactNode
}

/** Everything of a schedule that depends on the site: its days, its zone, and what the schedule makes of them. */
export function AtSite({ schedule_id, draft, may_write, children }: AtSiteProps) {
  const [site_id, pickSite] = useShownSite()
  const { data: site } = useObject('sites', site_id)
  const { data: zone } = useZone(site_id)
  const now = useNow(60_000)
  const today = zone && localDate(zone, now)
  const [edited, setEdited] = useState<Exception | string>()
  const [last, setChange] = useState<Change>()
  const { values, is_dirty } = draft
  const at: At = { schedule_id, site_id, zone, today, values, is_saved: !is_dirty }
  const { exceptions } = values
  const change = (list: readonly Exception[], message: string) => {
    draft.set('exceptions', list.toSorted(byDate))
    setChange({ message, before: exceptions })
  }
  const without = (exception: Exception | string) => exceptions.filter(other => other !== exception)
  const remove = (exception: Exception) =>
    change(
      without(exception),
      t(`Exception on ${formatDates(exception.starts_on, exception.ends_on)} removed`),
    )
  return (
    <>
      <YearSection
        at={at}
        note={
          last &&
          is_dirty && (
            <>
              {last.message}. Save to apply it.
              <Button
                size="compact-xs"
                variant="light"
                onClick={() => {
                  draft.set('exceptions', last.before)
                  setChange(undefined)
                }}
              >
                Undo
              </Button>
            </>
          )
        }
        onPick={may_write ? date => setEdited(exceptionOn(exceptions, date) ?? date) : undefined}
      >
        <Pick
          plural="sites"
          label="At"
          description="Each site has its own calendars and time zone."
          value={site_id ?? null}
          onChange={pickSite}
          clearable={false}
        />
        {site_id === undefined && <NoSite />}
      </YearSection>
      <NextDays at={at} title={`Next 14 days at ${site?.name ?? '…'}`} />
      {children}
      <SpecialDays
        days={values.special_days}
        at={at}
        may_write={may_write}
        onChange={days => draft.set('special_days', days)}
      />
      <Exceptions
        exceptions={exceptions}
        today={today ?? new Date(now).toISOString().slice(0, 10)}
        may_write={may_write}
        onEdit={setEdited}
        onRemove={remove}
      />
      <ClockChange at={at} />
      {edited !== undefined && (
        <ExceptionDialog
          exception={edited}
          others={without(edited)}
          at={at}
          onSave={(exception, all) =>
            change(all, t(`Exception on ${formatDates(exception.starts_on, exception.ends_on)} set`))
          }
          onRemove={typeof edited === 'string' ? undefined : () => remove(edited)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

/** The site is part of the address, so that a link shows what its sender saw. Defaults to the first site. */
function useShownSite() {
  const [params, setParams] = useSearchParams()
  const { items } = useList('sites', { limit: 1, sort: 'name:asc' })
  const pick = (id: string | null) => setParams(id ? { site: id } : {}, { replace: true })
  return [params.get('site') ?? items[0]?.id, pick] as const
}

function NoSite() {
  return (
    <Text size="sm" mt="xs">
      <Link href="/sites?new">Create a site</Link> to see the days of this schedule there.
    </Text>
  )
}

function byDate(one: Exception, other: Exception): number {
  return one.starts_on < other.starts_on ? -1 : 1
}
