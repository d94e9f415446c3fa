import type { ModesOfGadget } from '@gatehouse-access/api'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import { midnight } from '../lists/days-filter.ts'
import { modeNames, modesInOrder, modeWord } from '../modes/mode.ts'
import type { Door } from '../overview/door.ts'
import { addDays } from '../parts/dates.ts'
import { inZone } from '../parts/door-time.ts'
import { localDate } from '../parts/local-clock.ts'
import { formatMoment, useNow } from '../parts/time.tsx'
import { DaysAbove } from '../schedules/days-above.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'

type Stretch = ModesOfGadget['data'][number]

const hour = 3_600_000
const most = 8

/** The midnights between which the seven days lie. */
interface Span {
  readonly begin: number
  readonly end: number
}

/** Previews the modes of a door for today and the six days after, by the clock of its site, drawn and in words. */
export function ModeWeek({ gadget }: { gadget: Door }) {
  const { client, organization } = useApi()
  const now = useNow(60_000)
  // By the hour, so that the question stays the same for a while.
  const from = Math.floor(now / hour) * hour
  const { data: zone } = useZone(gadget.site_id)
  const span = { begin: Date.parse(midnight(now, 0, zone)), end: Date.parse(midnight(now, 7, zone)) }
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'modes', gadget.id, from, span.end),
    queryFn: ({ signal }) =>
      client.gadgets.modes(gadget.id, { from: timestamp(from), to: timestamp(span.end), signal }),
    enabled: zone !== undefined,
    staleTime: 60_000,
  })
  if (!data || !zone) return null
  const today = localDate(zone, now)
  const shown = data.data.filter(({ effective }) => effective !== 'controlled')
  const kinds = modesInOrder.filter(mode => shown.some(({ effective }) => effective === mode))
  return (
    <div className="mode-week">
      <p className="soft">
        {shown.length === 0
          ? 'Controlled for the next 7 days, as far as is known now.'
          : inZone(t(`Next 7 days: ${kinds.map(modeWord).join(', ')} where marked.`), gadget.site)}
      </p>
      <div className="next-line" aria-hidden>
        <DaysAbove dates={Array.from({ length: 7 }, (_, day) => addDays(today, day))} />
        <div className="mode-bars">
          {shown.map(stretch => (
            <span key={stretch.from} data-mode={stretch.effective} style={placeOf(stretch, span)} />
          ))}
        </div>
      </div>
      <ul className="mode-list" aria-label="Modes of the next 7 days">
        {shown.slice(0, most).map(stretch => (
          <li key={stretch.from}>
            {modeNames[stretch.effective]}{' '}
            <span className="soft">{rangeWords(stretch, gadget, from, span.end)}</span>
          </li>
        ))}
        {shown.length > most && <li className="soft">{t(`And ${shown.length - most} more`)}</li>}
      </ul>
    </div>
  )
}

function timestamp(at: number): string {
  return new Date(at).toISOString()
}

function placeOf({ from, to }: Stretch, { begin, end }: Span) {
  const percent = (at: string) => ((Date.parse(at) - begin) / (end - begin)) * 100
  return { left: `${percent(from)}%`, width: `${percent(to) - percent(from)}%` }
}

/** Returns `17 Nov 2026, 07:00 to 20:00`, with a second date only if it is another one. */
function rangeWords({ from, to }: Stretch, { site }: Door, now: number, until: number): string {
  const [begin, end] = [formatMoment(from, site?.timezone), formatMoment(to, site?.timezone)]
  const is_now = Date.parse(from) <= now
  if (Date.parse(to) >= until) return is_now ? t('now') : t(`from ${begin}`)
  if (is_now) return t(`until ${end}`)
  const [date, clock] = end.split(', ') as [string, string]
  return t(`${begin} to ${begin.startsWith(date) ? clock : end}`)
}
