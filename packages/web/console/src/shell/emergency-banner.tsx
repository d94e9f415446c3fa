import { lazy, Suspense } from 'react'
import { usePreload } from '../data/use-preload.ts'
import { useActiveEmergencies, useEmergencyPulse } from '../emergencies/use-active.ts'

const load = () => import('../emergencies/banners.tsx')
const Banners = lazy(async () => ({ default: (await load()).Banners }))

/** Says on every screen that an emergency is active. */
export function EmergencyBanner() {
  const { items } = useActiveEmergencies()
  useEmergencyPulse()
  // Preloaded, so that it is there when an emergency begins, also while the network is bad.
  usePreload(load)
  if (items.length === 0) return null
  return (
    <Suspense>
      <Banners emergencies={items} />
    </Suspense>
  )
}
