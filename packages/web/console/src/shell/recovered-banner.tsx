import { Alert } from '@mantine/core'
import { useSession } from '../session/gate.tsx'

/** Shown on every screen until the operator confirms the restore. */
export function RecoveredBanner() {
  const { recovered } = useSession()
  if (!recovered) return null
  return (
    <Alert color="yellow" radius={0} role="status" title="Restored from a backup">
      You can look at everything and change nothing until the operator has confirmed the restore. Doors go on
      with what they know, which is newer.
    </Alert>
  )
}
