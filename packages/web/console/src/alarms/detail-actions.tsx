import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { IconArrowBackUp, IconCheck, IconX, IconZzz } from '../icons/icons.ts'
import { useApi } from '../session/use-api.ts'
import type { Alarm } from './alarm.ts'
import { useExplained } from './explained.tsx'
import { SnoozeDialog } from './snooze-dialog.tsx'
import { useAlarmChanges } from './use-alarm-changes.ts'

/** What can be done with an alarm. Hidden from viewers. */
export function DetailActions({ alarm }: { alarm: Alarm }) {
  const { may_write } = useApi()
  const { acknowledge, close, reopen } = useAlarmChanges()
  const explained = useExplained(alarm)
  const [is_snoozing, snoozing] = useDisclosure(false)
  const [is_busy, setBusy] = useState(false)
  if (!may_write) return null
  const run = (work: Promise<unknown>) => {
    setBusy(true)
    void work.finally(() => setBusy(false))
  }
  const { state } = alarm
  return (
    <>
      {state !== 'closed' && (
        <>
          <Button variant="default" leftSection={<IconX size={14} />} onClick={() => run(close(alarm))}>
            Close
          </Button>
          <Button variant="default" leftSection={<IconZzz size={14} />} onClick={snoozing.open}>
            Snooze…
          </Button>
        </>
      )}
      {/* Both take the same room: no button moves away from under a finger when the other one comes. */}
      <div className="alarm-takes">
        <Button
          hidden={state === 'open'}
          variant="default"
          leftSection={<IconArrowBackUp size={14} />}
          onClick={() => run(reopen(alarm))}
        >
          Reopen
        </Button>
        <Button
          hidden={state !== 'open'}
          leftSection={<IconCheck size={14} />}
          loading={is_busy}
          onClick={() => run(acknowledge([{ head: alarm, explained: explained.items }]))}
        >
          Acknowledge
        </Button>
      </div>
      {is_snoozing && <SnoozeDialog alarm={alarm} onClose={snoozing.close} />}
    </>
  )
}
