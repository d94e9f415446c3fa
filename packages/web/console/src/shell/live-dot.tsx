import { useStreamState } from '../live/live.tsx'
import { useApi } from '../session/use-api.ts'

const words = { live: 'Live', connecting: 'Connecting', waiting: 'Offline, reconnecting' } as const

/** Shows whether events arrive live. Installers see no events. */
export function LiveDot() {
  const state = useStreamState()
  const { organization } = useApi()
  if (organization.role === 'installer') return null
  return (
    <span className="live-dot" data-state={state} role="img" aria-label={words[state]} title={words[state]} />
  )
}
