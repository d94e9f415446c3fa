import { t } from '../language/t.ts'
import { useStreamState } from '../live/live.tsx'
import { useApi } from '../session/use-api.ts'

const stateWords = { live: t('Live'), connecting: t('Connecting'), waiting: t('Offline, reconnecting') }

/** Shows whether events arrive live. Installers see no events. */
export function LiveDot() {
  const state = useStreamState()
  const { sees_people } = useApi()
  if (!sees_people) return null
  const words = stateWords[state]
  return <span className="live-dot" data-state={state} role="img" aria-label={words} title={words} />
}
