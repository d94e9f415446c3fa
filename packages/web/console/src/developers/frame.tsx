import { Tabs } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { t } from '../language/t.ts'
import { Page } from '../parts/page.tsx'

const tabs = [
  ['/developers', t('Applications')],
  ['/developers/keys', t('API keys')],
  ['/developers/organizations', t('Test organizations')],
  ['/developers/devices', t('Virtual devices')],
  ['/developers/explorer', t('API explorer')],
] as const

/** The frame of the developer screens. Each has its own address. */
export function DevelopersFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const [here, go] = useLocation()
  const row = useRef<HTMLDivElement>(null)
  // Scrolls to the selected tab, because the tabs are wider than the window on a phone.
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-selected=true]')
    row.current?.scrollTo({ left: (tab?.offsetLeft ?? 0) - 40 })
  }, [])
  return (
    <Page title="Developers" actions={actions}>
      <Tabs value={here} onChange={path => path && go(path)} keepMounted={false} className="developers-tabs">
        <Tabs.List ref={row}>
          {tabs.map(([path, name]) => (
            <Tabs.Tab key={path} value={path}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={here} pt="md">
          {children}
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
