import { ActionIcon, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { IconChevronLeft, IconChevronRight } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { formatDates } from '../parts/dates.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { is_touch } from '../parts/touch.ts'
import { type AtSite, useSiteYear } from './use-site-year.ts'
import { YearStrip } from './year-strip.tsx'

interface YearProps {
  readonly at: AtSite
  readonly onPick: ((date: string) => void) | undefined
  /** Says what was changed last, with its undo. It is here because a notice would cover the Save button on a phone. */
  readonly note: ReactNode
  /** Chooses the site. */
  readonly children: ReactNode
}

const pickHint = is_touch
  ? t('Tap a day to set an exception.')
  : t('Click a day, or press Enter on it, to set an exception.')

/** The zone tables of the service begin a year ago and reach five years ahead. */
const [earliest, latest] = [-1, 4]

export function YearSection({ at, onPick, note, children }: YearProps) {
  const [years, setYears] = useState(0)
  return (
    <Section
      title="Year"
      about={onPick ? pickHint : is_touch ? undefined : 'Move with the arrow keys.'}
      actions={
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            aria-label="A year earlier"
            disabled={years <= earliest}
            onClick={() => setYears(years - 1)}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <ActionIcon
            aria-label="A year later"
            disabled={years >= latest}
            onClick={() => setYears(years + 1)}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </Group>
      }
    >
      <div className="schedules-zone">{children}</div>
      <Year at={at} years={years} onPick={onPick} />
      <div role="status" className="year-note">
        {note}
      </div>
    </Section>
  )
}

interface ShownProps extends Pick<YearProps, 'at' | 'onPick'> {
  readonly years: number
}

/**
 * The strip is there before its days are: when they arrive, nothing else is drawn anew and nothing moves. Apart from
 * the section for the same reason.
 */
function Year({ at, years, onPick }: ShownProps) {
  const { period, days, nameOf, error, refetch } = useSiteYear(at, years)
  if (error && !days) return <Failure error={error} retry={() => void refetch()} />
  if (!period || !at.today) return <LoadingLines lines={7} />
  return (
    <>
      <p className="year-period soft">{formatDates(period.from, period.to)}</p>
      <YearStrip
        key={period.from}
        days={days}
        from={period.from}
        today={at.today}
        nameOf={nameOf}
        onPick={onPick}
      />
    </>
  )
}
