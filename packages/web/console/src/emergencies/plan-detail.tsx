import { Badge, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { IconPencil } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { useApi } from '../session/use-api.ts'
import { EditPlan } from './edit-plan.tsx'
import { type Plan, typeMeanings, typeNames } from './emergency.ts'
import { planLossesOf } from './losses.ts'
import { PlanIcon } from './plan-icon.tsx'
import { PlanMap } from './plan-map.tsx'
import { StartSheet } from './start-sheet.tsx'
import { WhatWouldHappen } from './what-would-happen.tsx'
import './emergencies.css'

export function PlanDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject('emergency_plans', id)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown plan={data} />
}

function Shown({ plan }: { plan: Plan }) {
  const { client, may_write } = useApi()
  const [is_editing, editing] = useDisclosure(false)
  const [is_starting, starting] = useDisclosure(false)
  const removal = {
    id: plan.id,
    name: plan.name,
    plurals: ['emergency_plans'],
    remove: () => client.emergency_plans.delete(plan.id),
    restore: () => client.emergency_plans.edit(plan.id, { is_deleted: false }),
  }
  return (
    <Page
      title={plan.name}
      trail={[[t('Emergencies'), '/emergencies']]}
      badge={
        plan.is_deleted ? (
          <Badge color="red">Deleted</Badge>
        ) : (
          <Badge color={plan.type === 'lockdown' ? 'red' : 'orange'}>{typeNames[plan.type]}</Badge>
        )
      }
      subtitle={typeMeanings[plan.type]}
      actions={
        may_write && (
          <>
            <RemoveButton
              removal={removal}
              back="/emergencies"
              is_deleted={plan.is_deleted}
              losses={() => planLossesOf(client, plan)}
            />
            {!plan.is_deleted && (
              <>
                <Button variant="default" leftSection={<IconPencil size={14} />} onClick={editing.open}>
                  Edit
                </Button>
                <Button
                  color="red"
                  leftSection={<PlanIcon type={plan.type} size={15} />}
                  onClick={starting.open}
                >
                  Start…
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <PlanMap plan={plan} />
      <WhatWouldHappen plan={plan} />
      {is_editing && <EditPlan plan={plan} onClose={editing.close} />}
      {is_starting && <StartSheet plan={plan} onClose={starting.close} />}
    </Page>
  )
}
