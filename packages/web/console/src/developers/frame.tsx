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
  useEffect(() => (row.current ? keepFaded(row.current) : undefined), [])
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

/** The tabs are wider than the window on a phone: scrolls to the selected one, and fades the ends where more follow. */
function keepFaded(row: HTMLElement): () => void {
  const fade = () => {
    row.setAttribute('data-before', String(row.scrollLeft > 1))
    row.setAttribute('data-after', String(row.scrollLeft + row.clientWidth < row.scrollWidth - 1))
  }
  const tab = row.querySelector<HTMLElement>('[aria-selected=true]')
  const middle = (tab?.offsetLeft ?? 0) + (tab?.offsetWidth ?? 0) / 2
  row.scrollTo({ left: middle - row.clientWidth / 2 })
  const observer = new ResizeObserver(fade)
  observer.observe(row)
  row.addEventListener('scroll', fade, { passive: true })
  return () => {
    observer.disconnect()
    row.removeEventListener('scroll', fade)
  }
}
