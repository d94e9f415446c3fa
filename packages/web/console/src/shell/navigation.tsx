import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { IconPlus } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { type Screen, screensOf } from '../screens.tsx'
import { useApi } from '../session/use-api.ts'
import { LiveDot } from './live-dot.tsx'

const sections = {
  now: t('Now'),
  people: t('People'),
  doors: t('Doors & devices'),
  organization: t('Organization'),
}
const order = Object.keys(sections) as (keyof typeof sections)[]

/** `onGo` is called for the screen that is shown already, too. */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const { organization } = useApi()
  const screens = screensOf(organization.role)
  const shown = order.filter(section => screens.some(screen => screen.section === section))
  const first = screens.find(({ section }) => section === shown[0])
  return (
    <nav aria-label={t('Screens')} className="navigation">
      {shown.map(section => (
        <div key={section} className="navigation-section">
          <div className="navigation-title">{sections[section]}</div>
          {screens
            .filter(screen => screen.section === section)
            .map(screen => (
              <Entry key={screen.path} screen={screen} is_first={screen === first} onGo={onGo} />
            ))}
        </div>
      ))}
    </nav>
  )
}

interface EntryProps {
  readonly screen: Screen & { readonly may_write: boolean }
  readonly is_first: boolean
  readonly onGo: (() => void) | undefined
}

/** A screen, and at its end what adds something there without a detour. */
function Entry({ screen, is_first, onGo }: EntryProps) {
  const is_here = useIsHere(screen.path)
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (is_here) row.current?.scrollIntoView({ block: 'nearest' })
  }, [is_here])
  const { icon: Icon, adding } = screen
  return (
    <div className="navigation-row" ref={row}>
      <Link
        href={screen.path}
        className="navigation-entry"
        aria-current={is_here ? 'page' : undefined}
        onClick={onGo}
      >
        <Icon size={17} stroke={1.6} />
        {screen.name}
        {is_first && <LiveDot />}
      </Link>
      {adding && screen.may_write && (
        <Link
          href={`${screen.path}?new`}
          className="navigation-add"
          aria-label={adding}
          title={adding}
          onClick={onGo}
        >
          <IconPlus size={15} />
        </Link>
      )}
    </div>
  )
}

export function useIsHere(path: string): boolean {
  const [location] = useLocation()
  return path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
}
