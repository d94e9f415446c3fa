import type { PermissionRule } from '@gatehouse-access/api'
import { accessMethods } from '@gatehouse-access/core'
import { Checkbox, Input, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useObject } from '../data/use-object.ts'
import { methodChoices } from '../events/method-words.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import './groups.css'

type Target = 'everything' | 'site' | 'gadget'

interface Values {
  /** Null: not chosen yet. */
  readonly target: Target | null
  readonly site_id: string | null
  readonly gadget_id: string | null
  readonly action_id: string | null
  readonly schedule_id: string | null
  readonly member_group_id: string | null
  readonly gps: boolean
  /** Null: all methods are allowed. */
  readonly methods: readonly string[] | null
}

/**
 * A new rule starts with no target. A default of everything could open every door to the whole group by
 * accident.
 */
function toValues(rule: PermissionRule | undefined): Values {
  if (!rule) return { ...toValues({}), target: null }
  return {
    target: rule.gadget_id ? 'gadget' : rule.site_id ? 'site' : 'everything',
    site_id: rule.site_id ?? null,
    gadget_id: rule.gadget_id ?? null,
    action_id: rule.action_id ?? null,
    schedule_id: rule.schedule_id ?? null,
    member_group_id: rule.member_group_id ?? null,
    gps: rule.presence === 'gps',
    methods: rule.access_methods ? accessMethods.filter(method => rule.access_methods?.[method]) : null,
  }
}

function toRule(values: Values): PermissionRule {
  const { target, methods } = values
  return {
    ...(target === 'site' && values.site_id && { site_id: values.site_id }),
    ...(target === 'gadget' && values.gadget_id && { gadget_id: values.gadget_id }),
    ...(target === 'gadget' && values.action_id && { action_id: values.action_id }),
    ...(values.schedule_id && { schedule_id: values.schedule_id }),
    ...(values.member_group_id && { member_group_id: values.member_group_id }),
    presence: values.gps ? 'gps' : 'none',
    ...(methods && {
      access_methods: Object.fromEntries(accessMethods.map(method => [method, methods.includes(method)])),
    }),
  }
}

/** Returns true until the user has chosen what the rule opens. */
function opensNothing({ target, site_id, gadget_id, member_group_id }: Values): boolean {
  if (target === 'site') return !site_id
  if (target === 'gadget') return !gadget_id
  return target === null && !member_group_id
}

interface EditorProps {
  /** Undefined for a new rule. */
  readonly rule: PermissionRule | undefined
  /** The index of the rule in the group. The service uses it in the paths of its errors. */
  readonly place: number
  readonly group_id: string
  readonly title: string
  readonly onSave: (rule: PermissionRule) => Promise<unknown>
  readonly onClose: () => void
}

/** Edits everything that a rule can state: what, when and how. */
export function RuleEditor({ rule, place, group_id, title, onSave, onClose }: EditorProps) {
  const [is_asked, setAsked] = useState(false)
  const draft = useDraft(
    toValues(rule),
    async values => {
      await onSave(toRule(values))
      onClose()
    },
    'Could not save the rule',
  )
  const { values, set } = draft
  const errorOf = (field: string) => draft.errorOf(`permissions.${place}.${field}`)
  const submit = async (event?: FormEvent) => {
    setAsked(true)
    if (!opensNothing(values)) return draft.submit(event)
    event?.preventDefault()
  }
  return (
    <FormModal
      title={title}
      opened
      onClose={onClose}
      draft={{ ...draft, submit }}
      action="Save rule"
      size="lg"
    >
      <Input.Wrapper
        label="Access to"
        required
        error={is_asked && opensNothing(values) && 'Choose what the rule gives access to'}
      >
        <SegmentedControl
          fullWidth
          aria-label="Access to"
          value={values.target ?? ''}
          onChange={value => set('target', value as Target)}
          data={[
            { value: 'everything', label: 'Everything' },
            { value: 'site', label: 'One site' },
            { value: 'gadget', label: 'One door' },
          ]}
        />
      </Input.Wrapper>
      {values.target === 'site' && (
        <Pick
          plural="sites"
          label="Site"
          required
          value={values.site_id}
          onChange={id => set('site_id', id)}
          error={errorOf('site_id')}
        />
      )}
      {values.target === 'gadget' && (
        <div className="pair">
          <Pick
            plural="gadgets"
            label="Door"
            required
            value={values.gadget_id}
            onChange={id => {
              set('gadget_id', id)
              set('action_id', null)
            }}
            error={errorOf('gadget_id')}
          />
          <ActionChoice
            gadget_id={values.gadget_id}
            value={values.action_id}
            onChange={id => set('action_id', id)}
            error={errorOf('action_id')}
          />
        </div>
      )}
      <Pick
        plural="schedules"
        label="Schedule"
        placeholder="At any time"
        description="Access only within these times, in the site’s local time"
        value={values.schedule_id}
        onChange={id => set('schedule_id', id)}
        error={errorOf('schedule_id')}
      />
      <Methods value={values.methods} onChange={methods => set('methods', methods)} />
      <Switch
        label="Phone must be near the site"
        description="Applies to opening online. PIN, card and Bluetooth always count as near."
        checked={values.gps}
        onChange={event => set('gps', event.currentTarget.checked)}
      />
      <Pick
        plural="member_groups"
        label="Also grant another group’s access"
        placeholder="None"
        description="The rule then grants the other group’s access, within the limits set above"
        value={values.member_group_id}
        onChange={id => set('member_group_id', id === group_id ? null : id)}
        error={errorOf('member_group_id')}
      />
      {draft.errorOf(`permissions.${place}`) && (
        <Text size="sm" c="red">
          {draft.errorOf(`permissions.${place}`)}
        </Text>
      )}
    </FormModal>
  )
}

interface ChoiceProps {
  readonly gadget_id: string | null
  readonly value: string | null
  readonly onChange: (id: string | null) => void
  readonly error?: string | undefined
}

function ActionChoice({ gadget_id, value, onChange, error }: ChoiceProps) {
  const { data } = useObject('gadgets', gadget_id)
  return (
    <Select
      label="Action"
      placeholder="All actions"
      clearable
      disabled={!gadget_id}
      value={value}
      onChange={onChange}
      error={error}
      data={data?.actions.map(({ id, name }) => ({ value: id, label: name })) ?? []}
    />
  )
}

interface MethodsProps {
  readonly value: readonly string[] | null
  readonly onChange: (methods: readonly string[] | null) => void
}

function Methods({ value, onChange }: MethodsProps) {
  return (
    <Stack gap={8}>
      <Switch
        label="All methods"
        checked={value === null}
        onChange={event => onChange(event.currentTarget.checked ? null : ['pin', 'card'])}
      />
      {value && (
        <Checkbox.Group label="Allowed methods" value={[...value]} onChange={onChange}>
          <div className="groups-methods">
            {methodChoices.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </Stack>
  )
}
