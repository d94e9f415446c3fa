import { useStreamState } from '../live/live.tsx'

const words = { live: 'Live', connecting: 'Connecting', waiting: 'Offline, reconnecting' } as const

/** Shows whether events arrive live. */
export function LiveDot() {
  const state = useStreamState()
  return (
    <span className="live-dot" data-state={state} role="img" aria-label={words[state]} title={words[state]} />
  )
}
