import { say } from '../language/say.ts'
import { useStreamState } from '../live/live.tsx'

/** Shows whether events arrive live. */
export function LiveDot() {
  const state = useStreamState()
  const words = say(`shell.${state}`)
  return <span className="live-dot" data-state={state} role="img" aria-label={words} title={words} />
}
