import { Input, SegmentedControl } from '@mantine/core'
import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { type Draft, useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick, PickMany } from '../form/pick.tsx'
import { SecondsSelect } from '../form/seconds-select.tsx'
import { SignalPick } from '../form/signal-pick.tsx'
import { useApi } from '../session/use-api.ts'
import { type EmergencyType, type Plan, typeMeanings, typeNames } from './emergency.ts'
import { type PlanValues, toBody, toValues } from './plan-values.ts'

const [minute, hour, day] = [60, 3600, 86_400]

/** Creates or edits a plan: what it does, where, who is exempt, and who may start it. */
export function EditPlan({ plan, onClose }: { plan?: Plan; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const draft = useDraft(toValues(plan), async values => {
    const body = toBody(values)
    const { id } = plan
      ? await client.emergency_plans.edit(plan.id, body)
      : await client.emergency_plans.create(body)
    refresh('emergency_plans')
    if (plan) onClose()
    else go(`/emergencies/plans/${id}`, { replace: true })
  })
  const { values, set } = draft
  return (
    <FormModal
      title={plan ? 'Edit plan' : 'New plan'}
      opened
      onClose={onClose}
      draft={draft}
      action={plan ? 'Save' : 'Create plan'}
      size="lg"
    >
      <DeclaredField
        kind="emergency_plan"
        name="name"
        label="Name"
        draft={draft}
        description="Read on the button by someone in a hurry."
        placeholder="Lock all outer doors"
        autoFocus
      />
      <Input.Wrapper label="Type" description={typeMeanings[values.type]}>
        <SegmentedControl
          fullWidth
          mt={6}
          aria-label="Type"
          value={values.type}
          onChange={type => set('type', type as EmergencyType)}
          data={Object.entries(typeNames).map(([value, label]) => ({ value, label }))}
        />
      </Input.Wrapper>
      <Where draft={draft} />
      {values.type === 'lockdown' && <Lockdown draft={draft} />}
      <Who draft={draft} />
      <div className="pair">
        <SecondsSelect
          label="Ends by itself"
          description="Otherwise somebody ends it."
          none="Never"
          options={[15 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 12 * hour, day]}
          value={values.ends_after_seconds}
          onChange={seconds => set('ends_after_seconds', seconds)}
          error={draft.errorOf('ends_after_seconds')}
        />
        <SecondsSelect
          label="Without a connection"
          description="How long a device goes on with it."
          none="Until it hears of the end"
          options={[15 * minute, hour, 4 * hour, 12 * hour, day, 7 * day]}
          value={values.offline_hold_seconds}
          onChange={seconds => set('offline_hold_seconds', seconds)}
          error={draft.errorOf('offline_hold_seconds')}
        />
      </div>
    </FormModal>
  )
}

interface PartProps {
  readonly draft: Draft<PlanValues>
}

function Where({ draft }: PartProps) {
  const { values, set, errorOf } = draft
  return (
    <fieldset className="emergencies-part">
      <legend>Where</legend>
      <PickMany
        plural="sites"
        label="All doors of sites"
        description="Doors that are added to them later join."
        value={values.site_ids}
        onChange={ids => set('site_ids', ids)}
        error={errorOf('targets.site_ids') ?? errorOf('targets')}
      />
      <PickMany
        plural="gadgets"
        label="Single doors"
        value={values.gadget_ids}
        onChange={ids => set('gadget_ids', ids)}
        error={errorOf('targets.gadget_ids')}
      />
      <PickMany
        plural="tags"
        label="All doors with a tag"
        value={values.tag_ids}
        onChange={ids => set('tag_ids', ids)}
        error={errorOf('targets.tag_ids')}
      />
      <PickMany
        plural="gadgets"
        label="Except"
        value={values.excluded_gadget_ids}
        onChange={ids => set('excluded_gadget_ids', ids)}
        error={errorOf('targets.excluded_gadget_ids')}
      />
    </fieldset>
  )
}

function Lockdown({ draft }: PartProps) {
  const { values, set, errorOf } = draft
  return (
    <>
      <PickMany
        plural="member_groups"
        label="Exempt groups"
        description="They still open the doors that their permissions allow."
        placeholder="Nobody"
        value={values.exempt_member_group_ids}
        onChange={ids => set('exempt_member_group_ids', ids)}
        error={errorOf('exempt_member_group_ids')}
      />
      <PickMany
        plural="gadgets"
        label="Doors that are held open"
        description="For example inside a locked perimeter."
        placeholder="None"
        value={values.unlocked_gadget_ids}
        onChange={ids => set('unlocked_gadget_ids', ids)}
        error={errorOf('unlocked_gadget_ids')}
      />
    </>
  )
}

function Who({ draft }: PartProps) {
  const { values, set, errorOf } = draft
  return (
    <fieldset className="emergencies-part">
      <legend>Who else can start it</legend>
      <Pick
        plural="gadgets"
        label="Control"
        description="Members with permission for its actions “start” and “end” use it by PIN, card or phone, also without internet."
        placeholder="None"
        value={values.control_gadget_id}
        onChange={id => set('control_gadget_id', id)}
        error={errorOf('control_gadget_id')}
      />
      <SignalPick
        label="Panic button"
        description="A signal that starts it at once."
        value={values.trigger}
        onChange={trigger => set('trigger', trigger)}
        error={errorOf('trigger') ?? errorOf('trigger.gadget_id') ?? errorOf('trigger.signal_id')}
      />
    </fieldset>
  )
}
