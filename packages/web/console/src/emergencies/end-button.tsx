import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { HoldButton } from '../parts/hold-button.tsx'
import { useApi } from '../session/use-api.ts'
import { type Emergency, emergencyName } from './emergency.ts'

/** Ends an emergency when it is held. Hidden from viewers. */
export function EndButton({ emergency, size }: { emergency: Emergency; size?: 'small' | 'large' }) {
  const { client, may_run_doors } = useApi()
  const refresh = useRefresh()
  if (!may_run_doors) return null
  const end = async () => {
    try {
      await client.emergencies.end(emergency.id, {})
    } catch (error) {
      showFailure(error, t(`Could not end ${emergencyName(emergency)}`))
    }
    refresh('emergencies', 'gadgets', 'modes')
  }
  return (
    <HoldButton
      label="Hold to end"
      about={emergencyName(emergency)}
      tone="plain"
      size={size ?? 'small'}
      onHeld={end}
    />
  )
}
