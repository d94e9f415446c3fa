import { Badge, Button, Switch } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useList } from '../data/use-list.ts'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { IconBell, IconPencil, IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure, showFailure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { RestoreButton } from '../parts/restore-button.tsx'
import { someNames } from '../parts/some-names.ts'
import { useAskRemove } from '../parts/use-ask-remove.tsx'
import { useApi } from '../session/use-api.ts'
import { RuleSentence } from './rule-sentence.tsx'
import { type AlarmRule, toValues } from './rule-values.ts'
import { useRecipients } from './use-recipients.ts'

interface RuleListProps {
  /** The rule that the address names. */
  readonly shown_id: string | undefined
  /** True: those that were deleted. */
  readonly is_deleted: boolean
  readonly onEdit: (rule: AlarmRule) => void
  readonly first_button: React.ReactNode
}

/** All rules, each in words. */
export function RuleList({ shown_id, is_deleted, onEdit, first_button }: RuleListProps) {
  const list = useList('alarm_rules', { sort: 'name:asc', is_deleted }, { page: 100 })
  const { data: shown } = useObject('alarm_rules', shown_id)
  const rules = shown?.is_deleted && !is_deleted ? [shown, ...list.items] : list.items
  return (
    <Section title="Rules" about="Who hears of which alarms, and when" flush>
      {list.is_loading && (
        <div className="section-body">
          <LoadingLines lines={4} />
        </div>
      )}
      {list.error && list.items.length === 0 && <Failure error={list.error} retry={list.refetch} />}
      {!list.is_loading && !list.error && list.items.length === 0 && is_deleted && (
        <Empty icon={<IconBell />} title="No deleted rules" />
      )}
      {!list.is_loading && !list.error && list.items.length === 0 && !is_deleted && (
        <Empty icon={<IconBell />} title="No rules yet" action={first_button}>
          Without a rule, alarms are recorded and shown here, and nobody is told of them.
        </Empty>
      )}
      <ul className="rules">
        {rules.map(rule => (
          <Rule key={rule.id} rule={rule} is_shown={rule.id === shown_id} onEdit={() => onEdit(rule)} />
        ))}
      </ul>
      {list.has_more && (
        <div className="alarms-rest">
          <Button variant="default" onClick={list.loadMore}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  )
}

function Rule({ rule, is_shown, onEdit }: { rule: AlarmRule; is_shown: boolean; onEdit: () => void }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  const { nameOf } = useRecipients()
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (is_shown) row.current?.scrollIntoView({ block: 'center' })
  }, [is_shown])
  const turn = async (is_enabled: boolean) => {
    await client.alarm_rules
      .edit(rule.id, { is_enabled })
      .catch(error => showFailure(error, t(`Could not turn ${rule.name} ${is_enabled ? 'on' : 'off'}`)))
    refresh('alarm_rules')
  }
  const removal = {
    id: rule.id,
    name: rule.name,
    plurals: ['alarm_rules'],
    remove: () => client.alarm_rules.delete(rule.id),
    restore: () => client.alarm_rules.edit(rule.id, { is_deleted: false }),
  }
  const { ask, is_busy, dialog } = useAskRemove({ removal, losses: async () => lossesOf(rule, nameOf) })
  return (
    <li className="rule" data-shown={is_shown} data-off={!rule.is_enabled} ref={row}>
      <div className="rule-text">
        <div className="rule-head">
          <strong>
            <Name>{rule.name}</Name>
          </strong>
          {rule.is_deleted && <Badge color="red">{t('Deleted', 'rule')}</Badge>}
          {!rule.is_enabled && <Badge color="gray">Off</Badge>}
        </div>
        <RuleSentence rule={toValues(rule)} />
        <Link href={`/alarms?alarm_rule_ids=${rule.id}`} className="rule-alarms">
          Its alarms
        </Link>
      </div>
      {may_write && rule.is_deleted && <RestoreButton removal={removal} label={`Restore ${rule.name}`} />}
      {may_write && !rule.is_deleted && (
        <div className="rule-actions">
          <Switch
            aria-label={`${rule.name} is in use`}
            checked={rule.is_enabled}
            onChange={event => void turn(event.currentTarget.checked)}
          />
          <Button
            variant="default"
            leftSection={<IconPencil size={14} />}
            aria-label={`Edit ${rule.name}`}
            onClick={onEdit}
          >
            Edit
          </Button>
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={14} />}
            aria-label={`Delete ${rule.name}`}
            loading={is_busy}
            onClick={ask}
          >
            Delete
          </Button>
        </div>
      )}
      {dialog}
    </li>
  )
}

/** Says who is told of no alarms any more. A rule that is off tells nobody anyway. */
function lossesOf(rule: AlarmRule, nameOf: (key: string) => string): readonly string[] {
  const { is_enabled, notify, escalate } = toValues(rule)
  const told = new Set([notify, ...escalate.map(step => step.notify)].flat().map(nameOf))
  if (!is_enabled || told.size === 0) return []
  return [t(`It will no longer tell ${someNames([...told])} of alarms.`)]
}
