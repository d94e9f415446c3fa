import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import { t } from '../language/t.ts'
import { Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import { allowedMethods, type ExpandedRule, scheduleWords, specialWords } from './rule.ts'

const SpecialWords = lazy(async () => ({ default: (await import('./special-words.tsx')).SpecialWords }))

/** Renders a rule as a sentence: what may be opened, when and how. */
export function RuleWords({ rule, who }: { rule: ExpandedRule; who?: string | undefined }) {
  const methods = allowedMethods(rule)
  return (
    <span className="rule-words">
      {who !== undefined && (
        <>
          Anyone in <Strong>{who}</Strong>{' '}
        </>
      )}
      {who === undefined ? 'Can ' : 'can '}
      <Target rule={rule} />
      {rule.schedule_id && (
        <>
          {', '}
          <When rule={rule} />
        </>
      )}
      {methods && <>, by {methods}</>}
      {rule.presence === 'gps' && <>, when the phone is near the site</>}
    </span>
  )
}

function Target({ rule }: { rule: ExpandedRule }) {
  if (rule.member_group_id)
    return (
      <>
        use everything that <Place path={`/groups/${rule.member_group_id}`} name={rule.member_group?.name} />{' '}
        can
        {(rule.gadget_id || rule.site_id || rule.tag_id) && (
          <>
            , limited to <Where rule={rule} />
          </>
        )}
      </>
    )
  return (
    <>
      {verbOf(rule)} <Where rule={rule} />
    </>
  )
}

function verbOf({ gadget_id, action_id, gadget }: ExpandedRule): string {
  if (!gadget_id) return t('use')
  if (!action_id)
    return gadget?.actions.length === 1 && gadget.actions[0]?.id === 'open' ? t('open') : t('use')
  return action_id === 'open'
    ? t('open')
    : t(`run “${gadget?.actions.find(({ id }) => id === action_id)?.name ?? action_id}” on`)
}

function Where({ rule }: { rule: ExpandedRule }) {
  if (rule.gadget_id) return <Place path={`/gadgets/${rule.gadget_id}`} name={rule.gadget?.name} />
  if (rule.tag_id)
    return (
      <>
        every door tagged <Place path={`/tags/${rule.tag_id}`} name={rule.tag?.name} />
      </>
    )
  if (rule.site_id)
    return (
      <>
        everything at <Place path={`/sites/${rule.site_id}`} name={rule.site?.name} />
      </>
    )
  return <strong>everything at every site</strong>
}

function When({ rule }: { rule: ExpandedRule }) {
  const { schedule } = rule
  return (
    <>
      {schedule && scheduleWords(schedule.weekdays)}
      {schedule && schedule.special_days.length > 0 ? ', ' : ' '}
      {schedule && schedule.special_days.length > 0 && (
        <Suspense fallback={`${specialWords(schedule.special_days)} `}>
          <SpecialWords days={schedule.special_days} site_id={rule.gadget?.site_id ?? rule.site_id} />{' '}
        </Suspense>
      )}
      <span className="soft rule-aside">
        (<Place path={`/schedules/${rule.schedule_id}`} name={schedule?.name} />)
      </span>
    </>
  )
}

function Place({ path, name }: { path: string; name: string | undefined }) {
  const { has_screen } = useApi()
  const shown = <Name fallback="a deleted item">{name}</Name>
  if (!has_screen(path)) return shown
  return (
    <Link href={path} className="rule-place">
      {shown}
    </Link>
  )
}

function Strong({ children }: { children: ReactNode }) {
  return (
    <strong>
      <Name>{String(children)}</Name>
    </strong>
  )
}
