import { formatDaysAgo } from '../parts/time.tsx'
import { useSession } from '../session/gate.tsx'

/** Tells those who administer the installation's only organization how its backups are. */
export function BackupLine() {
  const { backups } = useSession()
  if (!backups) return null
  if (backups.is_failing)
    return (
      <p className="backup-line is-failing">
        Backups fail. Ask the operator of this service to run “gatehouse backup status”.
      </p>
    )
  if (!backups.verified_at) return null
  return <p className="backup-line">Backups: verified {formatDaysAgo(backups.verified_at)}</p>
}
