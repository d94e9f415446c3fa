import { ApiError } from '@gatehouse-access/sdk'
import { Alert, Drawer, Modal, Stack, Switch, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { IconAlertTriangle } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { HoldButton } from '../parts/hold-button.tsx'
import { useApi } from '../session/use-api.ts'
import { type Plan, typeMeanings } from './emergency.ts'
import { PlanIcon } from './plan-icon.tsx'
import { PlanSummary } from './plan-summary.tsx'
import './emergencies.css'

interface SheetProps {
  readonly plan: Plan
  readonly onClose: () => void
}

/** The last step before a plan starts. Its button lies where the thumb of a hand that holds the phone is. */
export function StartSheet({ plan, onClose }: SheetProps) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const [reason, setReason] = useState('')
  const [is_drill, setDrill] = useState(false)
  const [conflict, setConflict] = useState<readonly string[]>([])
  const start = async () => {
    try {
      const { id } = await client.emergencies.create({
        emergency_plan_id: plan.id,
        is_drill,
        ...(reason.trim() && { reason: reason.trim() }),
        ...(conflict.length > 0 && { replaces: [...conflict] }),
      })
      refresh('emergencies', 'gadgets', 'modes')
      onClose()
      go(`/emergencies/${id}`)
    } catch (error) {
      const id = conflictOf(error)
      if (id && !conflict.includes(id)) setConflict([...conflict, id])
      else showFailure(error, t(`Could not start ${plan.name}`))
    }
  }
  return (
    <Frame title={plan.name} onClose={onClose}>
      <Stack gap="sm">
        <p className="emergencies-meaning">{typeMeanings[plan.type]}</p>
        <PlanSummary plan={plan} />
        <Switch
          label="This is a drill"
          description="Doors do the same. Events and screens say that it is a drill."
          checked={is_drill}
          onChange={event => setDrill(event.currentTarget.checked)}
        />
        <TextInput
          label="Reason"
          placeholder="Optional"
          maxLength={255}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        {conflict.length > 0 && (
          <Alert color="yellow" icon={<IconAlertTriangle size={16} />} title="Another emergency is active">
            Some of these doors are in an emergency of the other type. If you hold the button now, that one
            ends on the doors of this plan.
          </Alert>
        )}
        <HoldButton
          size="large"
          label={startLabel(is_drill, conflict.length > 0)}
          about={plan.name}
          icon={<PlanIcon type={plan.type} size={20} />}
          onHeld={start}
        />
      </Stack>
    </Frame>
  )
}

function startLabel(is_drill: boolean, is_replacing: boolean): string {
  if (is_replacing) return t('Hold to replace it')
  return is_drill ? t('Hold to start the drill') : t('Hold to start')
}

/** Returns the emergency of the other type that is active on one of the doors. */
function conflictOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.type === 'emergency_conflict'
    ? error.args.emergency_id
    : undefined
}

/** From the bottom on a phone, in the middle of a wide window. */
function Frame({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const is_phone = useMediaQuery('(max-width: 820px)', false, { getInitialValueInEffect: false })
  const common = { opened: true, onClose, title: <bdi>{title}</bdi> }
  if (!is_phone) return <Modal {...common}>{children}</Modal>
  return (
    <Drawer {...common} position="bottom" size="auto" classNames={{ content: 'emergencies-sheet' }}>
      {children}
    </Drawer>
  )
}
