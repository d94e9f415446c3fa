import { ActionIcon, Drawer, Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import { usePreload } from '../data/use-preload.ts'
import { IconMenu2, IconSearch } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { useKeptPush } from '../notifications/keep-push.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import { AlarmBell } from './alarm-bell.tsx'
import { BackupLine } from './backup-line.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { EmergencyBanner } from './emergency-banner.tsx'
import { JobsBar } from './jobs-bar.tsx'
import { LiveDot } from './live-dot.tsx'
import { Navigation } from './navigation.tsx'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { RecoveredBanner } from './recovered-banner.tsx'
import { UserMenu } from './user-menu.tsx'

const loadSearch = () => import('./search.tsx')
const Search = lazy(async () => ({ default: (await loadSearch()).Search }))

/** The frame around every screen: a sidebar on wide windows, a drawer and a bottom bar on phones. */
export function Shell({ children }: { children: ReactNode }) {
  const [is_searching, search] = useDisclosure(false)
  const [is_open, menu] = useDisclosure(false)
  const [location] = useLocation()
  const { sees_all, sees_people } = useApi()
  useKeptPush()
  const openSearch = () => void loadSearch().then(search.open, showFailure)
  useHotkeys([['mod+K', openSearch]], [])
  // Preloaded, so that no key typed after Ctrl-K is lost.
  usePreload(loadSearch)
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere is what closes the drawer
  useEffect(() => {
    menu.close()
    window.scrollTo(0, 0)
  }, [location])
  const side = (
    <>
      <div className="side-head">
        <OrganizationSwitcher />
        {sees_all && <AlarmBell />}
      </div>
      <SearchButton onClick={openSearch} />
      <Navigation />
      <BackupLine />
      <UserMenu />
    </>
  )
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('Skip to content')}
      </a>
      <aside className="side">{side}</aside>
      <nav className="top" aria-label={t('Top bar')}>
        <ActionIcon size="lg" aria-label={t('Open menu')} onClick={menu.open}>
          <IconMenu2 size={20} />
        </ActionIcon>
        <OrganizationSwitcher />
        <LiveDot />
        {sees_all && <AlarmBell />}
        <ActionIcon size="lg" aria-label={t('Search')} onClick={openSearch}>
          <IconSearch size={20} />
        </ActionIcon>
      </nav>
      <Drawer
        opened={is_open}
        onClose={menu.close}
        size={280}
        title={t('Menu')}
        classNames={{ body: 'drawer-body' }}
      >
        <Navigation onGo={menu.close} />
        <BackupLine />
        <UserMenu />
      </Drawer>
      {sees_all && <JobsBar />}
      <main id="main" className="main" tabIndex={-1}>
        <RecoveredBanner />
        {sees_people && <EmergencyBanner />}
        {children}
      </main>
      <BottomBar />
      {is_searching && (
        <Suspense>
          <Search onClose={search.close} />
        </Suspense>
      )}
    </div>
  )
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <UnstyledButton className="search-button" onClick={onClick}>
      <IconSearch size={15} aria-hidden />
      <span>{t('Search')}</span>
      <Kbd size="xs">Ctrl K</Kbd>
    </UnstyledButton>
  )
}
