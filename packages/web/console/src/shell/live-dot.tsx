import { useStreamState } from '../live/live.tsx'

const words = { live: 'Live', connecting: 'Connecting', waiting: 'Offline, reconnecting' } as const

/** Whether events arrive as they happen. */
export function LiveDot() {
  const state = useStreamState()
  return (
    <span className="live-dot" data-state={state} role="img" aria-label={words[state]} title={words[state]} />
  )
}
