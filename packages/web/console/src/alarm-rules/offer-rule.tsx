import { firstAlarmRule } from '@gatehouse-access/api'
import { Alert, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../data/use-list.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { IconBell } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import './offer-rule.css'

/**
 * Offers the rule of new organizations to one that has never had any, until somebody takes or dismisses it. A
 * rule that was deleted counts: whoever deleted it has decided.
 */
export function OfferRule() {
  const { client, may_write, organization } = useApi()
  const refresh = useRefresh()
  const key = `gatehouse-first-rule-${organization.id}`
  const [is_dismissed, setDismissed] = useState(() => localStorage.getItem(key) !== null)
  const [is_busy, setBusy] = useState(false)
  const is_asked = may_write && !is_dismissed
  const rules = useList('alarm_rules', { is_deleted: 'any', limit: 1 }, { enabled: is_asked })
  if (!is_asked || rules.is_loading || rules.error || rules.items.length > 0) return null
  const dismiss = () => {
    localStorage.setItem(key, 'dismissed')
    setDismissed(true)
  }
  const take = async () => {
    setBusy(true)
    await client.alarm_rules
      .create(firstAlarmRule)
      .catch(error => showFailure(error, t('Could not create the rule')))
    setBusy(false)
    refresh('alarm_rules')
  }
  return (
    <Alert
      color="blue"
      icon={<IconBell size={16} />}
      title="Nobody is told of alarms yet"
      className="rule-offer"
    >
      <p>
        New organizations start with a rule that sends their owners an email when a device is offline or low
        on battery, a door is forced open, somebody’s access may not arrive in time, or an emergency is
        started. Yours has none.
      </p>
      <Group gap="xs">
        <Button loading={is_busy} onClick={() => void take()}>
          Create this rule
        </Button>
        <Button variant="subtle" color="gray" onClick={dismiss}>
          No, thanks
        </Button>
      </Group>
    </Alert>
  )
}
