import { Link } from 'wouter'
import { useList } from '../data/use-list.ts'
import { IconBell } from '../icons/icons.ts'
import { t } from '../language/t.ts'

const most = 100

/** How many alarms are open, on every screen. Follows the stream as all lists do. */
export function AlarmBell() {
  const { items, has_more } = useList('alarms', { state: 'open', limit: most })
  const count = has_more ? `${most - 1}+` : String(items.length)
  const is_critical = items.some(({ severity }) => severity === 'critical')
  const words = wordsFor(items.length, count)
  return (
    <Link href="/alarms" className="bell" aria-label={words} title={words}>
      <IconBell size={19} stroke={1.7} />
      {items.length > 0 && (
        <span className="bell-count" data-critical={is_critical} aria-hidden>
          {count}
        </span>
      )}
    </Link>
  )
}

function wordsFor(count: number, shown: string): string {
  if (count === 0) return t('No open alarms')
  return count === 1 ? t('1 open alarm') : t(`${shown} open alarms`)
}
