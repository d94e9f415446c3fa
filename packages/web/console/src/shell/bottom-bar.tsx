import { Link } from 'wouter'
import { t } from '../language/t.ts'
import { type Screen, screensOf } from '../screens.tsx'
import { useApi } from '../session/use-api.ts'
import { useIsHere } from './navigation.tsx'

/** Links to the most used screens, within reach of the thumb. */
export function BottomBar() {
  const { organization, sees_all } = useApi()
  const screens = screensOf(organization.role)
  const main = sees_all ? screens.filter(screen => screen.is_main) : screens.slice(0, 5)
  return (
    <nav aria-label={t('Main screens')} className="bottom-bar">
      {main.map(screen => (
        <Entry key={screen.path} screen={screen} />
      ))}
    </nav>
  )
}

function Entry({ screen: { path, name, icon: Icon } }: { screen: Screen }) {
  const is_here = useIsHere(path)
  return (
    <Link href={path} aria-current={is_here ? 'page' : undefined}>
      <Icon size={20} stroke={1.6} />
      {name}
    </Link>
  )
}
