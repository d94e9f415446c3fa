import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { t } from '../language/t.ts'
import { NameLink } from '../parts/name.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { secondsWords } from '../parts/units.ts'
import type { Plan } from './emergency.ts'
import { PlanSummary } from './plan-summary.tsx'

/** A plan at one glance: who starts it, what it concerns, who is exempt and how it ends. */
export function PlanMap({ plan }: { plan: Plan }) {
  const { ends_after_seconds: ends, offline_hold_seconds: held } = plan
  return (
    <div className="emergencies-map">
      <Section title="Who starts it">
        <Facts
          facts={[
            [t('Here'), t('Owners, administrators, site administrators and front desks')],
            [
              t('At a door'),
              plan.control_gadget_id ? <Control key="c" id={plan.control_gadget_id} /> : t('Nobody'),
            ],
            [t('Panic button'), plan.trigger ? <Button key="t" {...plan.trigger} /> : t('None')],
          ]}
        />
      </Section>
      <Section title="What it concerns">
        <PlanSummary plan={plan} />
      </Section>
      <Section title="How it ends">
        <Facts
          facts={[
            [t('By somebody'), t('Whoever may start it')],
            [t('By itself'), ends ? t(`After ${secondsWords(ends)}`) : t('Never')],
            [
              t('Offline'),
              held ? t(`After ${secondsWords(held)} without a connection`) : t('Holds until told otherwise'),
            ],
          ]}
        />
      </Section>
    </div>
  )
}

function Control({ id }: { id: string }) {
  const { data } = useObject('gadgets', id)
  return (
    <>
      Members with permission at <NameLink href={`/gadgets/${id}`}>{data?.name ?? '…'}</NameLink>.{' '}
      <Anchor
        component={Link}
        href={`/groups/who?gadget_id=${id}&action_id=start`}
        size="sm"
        underline="always"
      >
        Who is that?
      </Anchor>
    </>
  )
}

function Button({ gadget_id, signal_id }: { gadget_id: string; signal_id: string }) {
  const { data } = useObject('gadgets', gadget_id)
  const signal = data?.signals.find(({ id }) => id === signal_id)
  return (
    <>
      <bdi>{signal?.name ?? signal_id}</bdi> of{' '}
      <NameLink href={`/gadgets/${gadget_id}`}>{data?.name ?? '…'}</NameLink>
    </>
  )
}
