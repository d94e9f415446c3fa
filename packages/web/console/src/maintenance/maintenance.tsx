import { Alert, Badge, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTool } from '../icons/icons.ts'
import { inZone, momentAt } from '../parts/door-time.ts'
import { useNow } from '../parts/time.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import { MaintenanceDialog } from './maintenance-dialog.tsx'
import { type Maintained, useMaintenance } from './use-maintenance.ts'

/** Says that a device or site is in maintenance, until when, and ends it. Hidden while it is not. */
export function MaintenanceNote({ of }: { of: Maintained }) {
  const { may_write } = useApi()
  const is_on = useIsMaintained(of)
  const { data: zone } = useZone(of.site_id)
  const { end } = useMaintenance(of)
  if (!is_on || !of.until) return null
  return (
    <Alert color="yellow" icon={<IconTool size={16} />} className="maintenance" role="status">
      <span>
        In maintenance until {inZone(momentAt(of.until, zone), zone)}. Its alarms are recorded, and nobody is
        told of them.
      </span>
      {may_write && (
        <Button variant="default" onClick={() => void end()}>
          End maintenance
        </Button>
      )}
    </Alert>
  )
}

export function MaintenanceBadge({ of }: { of: Maintained }) {
  return useIsMaintained(of) && <Badge color="yellow">Maintenance</Badge>
}

/** Begins maintenance. Hidden from viewers, and while it is on. */
export function MaintenanceButton({ of }: { of: Maintained }) {
  const { may_write } = useApi()
  const [is_asking, asking] = useDisclosure(false)
  const is_on = useIsMaintained(of)
  if (!may_write || is_on) return null
  return (
    <>
      <Button variant="default" leftSection={<IconTool size={14} />} onClick={asking.open}>
        Maintenance…
      </Button>
      {is_asking && <MaintenanceDialog of={of} onClose={asking.close} />}
    </>
  )
}

function useIsMaintained({ until }: Maintained): boolean {
  const now = useNow(10_000)
  return until !== null && Date.parse(until) > now
}
