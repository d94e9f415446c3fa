import { lazy, Suspense, useEffect } from 'react'
import { useActiveEmergencies, useEmergencyPulse } from '../emergencies/use-active.ts'

const load = () => import('../emergencies/banners.tsx')
const Banners = lazy(async () => ({ default: (await load()).Banners }))

/** Says on every screen that an emergency is active. */
export function EmergencyBanner() {
  const { items } = useActiveEmergencies()
  useEmergencyPulse()
  // Preloaded, so that it is there when an emergency begins, also while the network is bad.
  useEffect(() => void setTimeout(() => load().catch(() => undefined), 1000), [])
  if (items.length === 0) return null
  return (
    <Suspense>
      <Banners emergencies={items} />
    </Suspense>
  )
}
