import { useMemo } from 'react'
import { t } from '../language/t.ts'
import { addDays } from '../parts/dates.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { localDate } from '../parts/local-clock.ts'
import { Section } from '../parts/page.tsx'
import { useNow } from '../parts/time.tsx'
import { DayLine, DayWords } from '../schedules/next-days.tsx'
import { usePreview, useZone } from '../schedules/use-site-days.ts'
import type { UnlockRule } from './unlock-rule.ts'

/** Shows a week of a rule: when its doors are unlocked, at its site. */
export function UnlockedWeek({ rule }: { rule: UnlockRule }) {
  const { data: zone } = useZone(rule.site_id)
  const now = useNow(60_000)
  const today = zone && localDate(zone, now)
  const period = useMemo(() => (today ? { from: today, to: addDays(today, 6) } : undefined), [today])
  const { schedule_id, site_id } = rule
  const { data, error, refetch } = usePreview({
    schedule_id,
    site_id,
    period,
    unsaved: undefined,
    zone,
    days: undefined,
  })
  return (
    <Section title="Unlocked, next 7 days" about={aboutOf(rule)}>
      {error && !data && <Failure error={error} retry={refetch} />}
      {!data && !error && <LoadingLines lines={3} />}
      {data && today && (
        <div data-waiting={Boolean(rule.first_person)} data-off={!rule.is_enabled} className="unlock-week">
          <div className="next-lines" aria-hidden>
            <DayLine days={data.slice(0, 7)} />
          </div>
          <DayWords
            days={data.slice(0, 7)}
            today={today}
            label="Unlocked, next 7 days"
            never="Not unlocked"
          />
        </div>
      )}
    </Section>
  )
}

function aboutOf({ is_enabled, first_person }: UnlockRule): string {
  if (!is_enabled) return t('The rule is off: nothing is unlocked.')
  return first_person ? t('From when the first person has come.') : t('By the clock.')
}
