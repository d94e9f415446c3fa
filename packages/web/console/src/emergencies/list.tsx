import { Badge, Button, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../data/use-list.ts'
import { IconUrgent } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Name } from '../parts/name.tsx'
import { Page, Section } from '../parts/page.tsx'
import { useAdding } from '../parts/use-adding.tsx'
import { useDeleted } from '../parts/use-deleted.tsx'
import { useApi } from '../session/use-api.ts'
import { EditPlan } from './edit-plan.tsx'
import { type Plan, typeMeanings, typeNames } from './emergency.ts'
import { History } from './history.tsx'
import { PlanIcon } from './plan-icon.tsx'
import { StartSheet } from './start-sheet.tsx'
import './emergencies.css'

/** Plans to start, and what was started. One touch on a plan, then a hold. */
export function EmergencyList() {
  const [starting, setStarting] = useState<Plan>()
  const { button, first_button, dialog } = useAdding({
    label: 'New plan',
    first: 'Create your first plan',
    dialog: close => <EditPlan onClose={close} />,
  })
  return (
    <Page title="Emergencies" actions={button}>
      <Plans first_button={first_button} onStart={setStarting} />
      <History />
      {starting && <StartSheet plan={starting} onClose={() => setStarting(undefined)} />}
      {dialog}
    </Page>
  )
}

interface PlansProps {
  readonly first_button: ReactNode
  readonly onStart: (plan: Plan) => void
}

function Plans({ first_button, onStart }: PlansProps) {
  const { may_run_doors } = useApi()
  const { is_deleted, choice } = useDeleted(t('Show plans'))
  const plans = useList('emergency_plans', { sort: 'name:asc', is_deleted }, { page: 100 })
  const about = may_run_doors && !is_deleted ? t('Touch a plan to start it. It asks first.') : undefined
  return (
    <Section title="Plans" about={about} actions={choice} flush>
      {plans.is_loading && (
        <div className="section-body">
          <LoadingLines lines={3} />
        </div>
      )}
      {plans.error && plans.items.length === 0 && <Failure error={plans.error} retry={plans.refetch} />}
      {!plans.is_loading && !plans.error && plans.items.length === 0 && (
        <NoPlans is_deleted={is_deleted} first_button={first_button} />
      )}
      <ul className="emergencies-plans">
        {plans.items.map(plan => (
          <PlanRow key={plan.id} plan={plan} onStart={() => onStart(plan)} />
        ))}
      </ul>
      {plans.has_more && (
        <div className="section-body">
          <Button variant="default" onClick={plans.loadMore}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  )
}

function NoPlans({ is_deleted, first_button }: { is_deleted: boolean; first_button: ReactNode }) {
  if (is_deleted) return <Empty icon={<IconUrgent />} title="No deleted plans" />
  return (
    <Empty icon={<IconUrgent />} title="No plans yet" action={first_button}>
      A plan says which doors a lockdown locks or an evacuation holds open, and who is exempt. Make it before
      it is needed, and try it with a drill.
    </Empty>
  )
}

function PlanRow({ plan, onStart }: { plan: Plan; onStart: () => void }) {
  const { may_run_doors } = useApi()
  return (
    <li className="emergencies-plan" data-type={plan.type}>
      <PlanButton plan={plan} onStart={may_run_doors && !plan.is_deleted ? onStart : undefined} />
      <Button component={Link} href={`/emergencies/plans/${plan.id}`} variant="subtle" color="gray">
        Details<VisuallyHidden> of {plan.name}</VisuallyHidden>
      </Button>
    </li>
  )
}

function PlanButton({ plan, onStart }: { plan: Plan; onStart: (() => void) | undefined }) {
  const inside = (
    <>
      <span className="emergencies-icon">
        <PlanIcon type={plan.type} size={22} />
      </span>
      <span className="emergencies-name">
        <span className="clip">
          {onStart && <VisuallyHidden>Start </VisuallyHidden>}
          <Name>{plan.name}</Name>
        </span>
        <span className="soft">{typeMeanings[plan.type]}</span>
      </span>
      <Badge color={plan.type === 'lockdown' ? 'red' : 'orange'}>{typeNames[plan.type]}</Badge>
    </>
  )
  if (!onStart) return <div className="emergencies-start">{inside}</div>
  return (
    <button type="button" className="emergencies-start" onClick={onStart}>
      {inside}
    </button>
  )
}
