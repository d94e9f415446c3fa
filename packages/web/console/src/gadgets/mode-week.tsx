import type { ModesOfGadget } from '@gatehouse-access/api'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import { modeNames, modesInOrder, modeWord } from '../modes/mode.ts'
import type { Door } from '../overview/door.ts'
import { inZone } from '../parts/door-time.ts'
import { formatMoment, useNow } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'

type Stretch = ModesOfGadget['data'][number]

const week = 7 * 86_400_000
const hour = 3_600_000
const most = 6

/** Previews the modes of a door for a week from now, drawn and in words. */
export function ModeWeek({ gadget }: { gadget: Door }) {
  const { client, organization } = useApi()
  // By the hour, so that the question stays the same for a while.
  const from = Math.floor(useNow(60_000) / hour) * hour
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'modes', gadget.id, from),
    queryFn: ({ signal }) =>
      client.gadgets.modes(gadget.id, { from: timestamp(from), to: timestamp(from + week), signal }),
    staleTime: 60_000,
  })
  if (!data) return null
  const shown = data.data.filter(({ effective }) => effective !== 'controlled')
  const kinds = modesInOrder.filter(mode => shown.some(({ effective }) => effective === mode))
  return (
    <div className="mode-week">
      <p className="soft">
        {shown.length === 0
          ? 'Controlled for the next 7 days, as far as is known now.'
          : inZone(t(`Next 7 days: ${kinds.map(modeWord).join(', ')} where marked.`), gadget.site)}
      </p>
      <div className="mode-bars" aria-hidden>
        {shown.map(stretch => (
          <span key={stretch.from} data-mode={stretch.effective} style={placeOf(stretch, from)} />
        ))}
      </div>
      <ul className="mode-list" aria-label="Modes of the next 7 days">
        {shown.slice(0, most).map(stretch => (
          <li key={stretch.from}>
            {modeNames[stretch.effective]} <span className="soft">{rangeWords(stretch, gadget, from)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function timestamp(at: number): string {
  return new Date(at).toISOString()
}

function placeOf({ from, to }: Stretch, start: number) {
  const percent = (at: string) => ((Date.parse(at) - start) / week) * 100
  return { left: `${percent(from)}%`, width: `${percent(to) - percent(from)}%` }
}

/** Returns `17 Nov 2026, 07:00 to 20:00`, with a second date only if it is another one. */
function rangeWords({ from, to }: Stretch, { site }: Door, start: number): string {
  const [begin, end] = [formatMoment(from, site?.timezone), formatMoment(to, site?.timezone)]
  const is_now = Date.parse(from) <= start
  if (Date.parse(to) >= start + week) return is_now ? t('now') : t(`from ${begin}`)
  if (is_now) return t(`until ${end}`)
  const [date, clock] = end.split(', ') as [string, string]
  return t(`${begin} to ${begin.startsWith(date) ? clock : end}`)
}
