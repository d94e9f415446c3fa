import { useState } from 'react'
import { useParams } from 'wouter'
import { t } from '../language/t.ts'
import { TargetList } from '../notification-targets/target-list.tsx'
import { Page } from '../parts/page.tsx'
import { useAdding } from '../parts/use-adding.tsx'
import { useDeleted } from '../parts/use-deleted.tsx'
import { EditRule } from './edit-rule.tsx'
import { OfferRule } from './offer-rule.tsx'
import { RuleList } from './rule-list.tsx'
import type { AlarmRule } from './rule-values.ts'
import '../alarms/alarms.css'
import './alarm-rules.css'

/** Who is told of alarms: the rules, and the targets that they name. */
export function RulesPage() {
  const { id } = useParams<{ id?: string }>()
  const [editing, setEditing] = useState<AlarmRule>()
  const { button, first_button, dialog } = useAdding({
    label: 'New rule',
    first: 'Create your first rule',
    dialog: close => <EditRule onClose={close} />,
  })
  const { is_deleted, choice } = useDeleted(t('Show rules and targets'))
  const actions = (
    <>
      {choice}
      {button}
    </>
  )
  return (
    <Page title="Who is told" trail={[[t('Alarms'), '/alarms']]} actions={actions}>
      <OfferRule />
      <div className="stack">
        <RuleList shown_id={id} is_deleted={is_deleted} onEdit={setEditing} first_button={first_button} />
        <TargetList is_deleted={is_deleted} />
      </div>
      {editing && <EditRule rule={editing} onClose={() => setEditing(undefined)} />}
      {dialog}
    </Page>
  )
}
