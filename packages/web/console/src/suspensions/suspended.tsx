import type { SiteZone } from '@gatehouse-access/api'
import { ActionIcon, Alert, Button, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerPause, IconPlayerPlay } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { momentAt, zoneWords } from '../parts/door-time.ts'
import { browserZone, useNow } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { SuspendDialog } from './suspend-dialog.tsx'
import { isSuspended, type Suspendable, type Suspension } from './suspension.ts'
import { useSuspend } from './use-suspend.ts'

/** Returns `Suspended until 14 Nov 2026, 09:30 (Europe/Madrid time): lost bag`. */
export function suspensionWords(
  { suspended_until, suspended_reason }: Suspension,
  zone: SiteZone | undefined,
): string {
  const clock = zoneWords(zone?.timezone ?? browserZone)
  const until = suspended_until ? t(` until ${momentAt(suspended_until, zone)} (${clock})`) : ''
  return t(`Suspended${until}${suspended_reason ? `: ${suspended_reason}` : ''}`)
}

/** Says that the object of the page is suspended, until when and why, and lifts it. Hidden while it is not. */
export function SuspendedNote({ of }: { of: Suspendable }) {
  const { may_write } = useApi()
  const { lift } = useSuspend(of)
  if (!useIsSuspended(of)) return null
  return (
    <Alert color="red" icon={<IconPlayerPause size={16} />} className="maintenance" role="status">
      <bdi>{suspensionWords(of, of.zoned.zone)}</bdi>
      {may_write && (
        <Button variant="default" onClick={() => void lift()}>
          Lift suspension
        </Button>
      )}
    </Alert>
  )
}

/** Suspends the object of the page. Hidden from viewers, and while it is suspended. */
export function SuspendButton({ of, label = t('Suspend') }: { of: Suspendable; label?: string }) {
  const { may_write } = useApi()
  const [is_asking, asking] = useDisclosure(false)
  const is_suspended = useIsSuspended(of)
  if (!may_write || is_suspended) return null
  return (
    <>
      <Button variant="default" leftSection={<IconPlayerPause size={14} />} onClick={asking.open}>
        {label}
      </Button>
      {is_asking && <SuspendDialog of={of} onClose={asking.close} />}
    </>
  )
}

/** Suspends a line of a list, or lifts it. */
export function SuspendIcon({ of }: { of: Suspendable }) {
  const [is_asking, asking] = useDisclosure(false)
  const { lift } = useSuspend(of)
  const is_suspended = useIsSuspended(of)
  const label = is_suspended ? t('Lift suspension') : t('Suspend')
  return (
    <>
      <Tooltip label={label}>
        <ActionIcon
          aria-label={`${label}: ${of.name}`}
          onClick={is_suspended ? () => void lift() : asking.open}
        >
          {is_suspended ? <IconPlayerPlay size={15} /> : <IconPlayerPause size={15} />}
        </ActionIcon>
      </Tooltip>
      {is_asking && <SuspendDialog of={of} onClose={asking.close} />}
    </>
  )
}

function useIsSuspended(of: Suspension): boolean {
  return isSuspended(of, useNow(10_000))
}
