import { t } from '../language/t.ts'
import type { Plan } from './emergency.ts'
import { useNames } from './use-names.ts'

type PlanLike = Pick<Plan, 'targets' | 'exempt_member_group_ids' | 'unlocked_gadget_ids' | 'type'>

/** Says in a few lines what a plan concerns, what it holds open, and who is exempt. */
export function PlanSummary({ plan }: { plan: PlanLike }) {
  const { site_ids, gadget_ids, tag_ids, excluded_gadget_ids } = plan.targets
  const sites = useNames('sites', site_ids ?? [])
  const tags = useNames('tags', tag_ids ?? [])
  const doors = useNames('gadgets', gadget_ids ?? [])
  const excluded = useNames('gadgets', excluded_gadget_ids ?? [])
  const held = useNames('gadgets', plan.unlocked_gadget_ids ?? [])
  const exempt = useNames('member_groups', plan.exempt_member_group_ids ?? [])
  const where = [
    ...(sites ? [t(`all doors of ${sites}`)] : []),
    ...(tags ? [t(`doors tagged ${tags}`)] : []),
    ...(doors ? [doors] : []),
  ]
  return (
    <dl className="emergencies-summary">
      <dt>Doors</dt>
      <dd>
        <bdi>
          {where.join('; ')}
          {excluded && `, except ${excluded}`}
        </bdi>
      </dd>
      {plan.type === 'lockdown' && (
        <>
          {held && (
            <>
              <dt>Stay open</dt>
              <dd>
                <bdi>{held}</bdi>
              </dd>
            </>
          )}
          <dt>Exempt</dt>
          <dd>
            <bdi>{exempt || 'Nobody'}</bdi>
          </dd>
        </>
      )}
    </dl>
  )
}
