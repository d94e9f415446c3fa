import type { PermissionRule } from '@gatehouse-access/api'
import { Checkbox, Input, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useObject } from '../data/use-object.ts'
import { methodChoices } from '../events/method-words.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick, PickMany } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { RuleReach } from './rule-reach.tsx'
import { hasNoMethod, opensNothing, type Target, toRules, toValues } from './rule-values.ts'
import './groups.css'

interface EditorProps {
  /** Undefined for a new rule. */
  readonly rule: PermissionRule | undefined
  /** The index of the rule in the group. The service uses it in the paths of its errors. */
  readonly place: number
  readonly group_id: string
  readonly title: string
  /** A rule for each site, door or tag that was chosen. */
  readonly onSave: (rules: PermissionRule[]) => Promise<unknown>
  readonly onClose: () => void
}

/** Edits everything that a rule can state: what, when and how. */
export function RuleEditor({ rule, place, group_id, title, onSave, onClose }: EditorProps) {
  const [is_asked, setAsked] = useState(false)
  const draft = useDraft(
    toValues(rule),
    async values => {
      await onSave(toRules(values))
      onClose()
    },
    t('Could not save the rule'),
  )
  const { values, set } = draft
  const places = toRules(values).map((_, index) => place + index)
  const errorOf = (field: string) =>
    places.map(index => draft.errorOf(`permissions.${index}.${field}`)).find(Boolean)
  const submit = async (event?: FormEvent) => {
    setAsked(true)
    if (!opensNothing(values) && !hasNoMethod(values)) return draft.submit(event)
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
            { value: 'sites', label: 'Sites' },
            { value: 'gadgets', label: 'Doors' },
            { value: 'tags', label: 'Tags' },
          ]}
        />
      </Input.Wrapper>
      {values.target === 'sites' && (
        <PickMany
          plural="sites"
          label="Sites"
          required
          value={values.site_ids}
          onChange={ids => set('site_ids', ids)}
          error={errorOf('site_id')}
        />
      )}
      {values.target === 'tags' && (
        <PickMany
          plural="tags"
          label="Doors with a tag"
          description="A door that gets the tag later is included"
          required
          value={values.tag_ids}
          onChange={ids => set('tag_ids', ids)}
          error={errorOf('tag_id')}
        />
      )}
      {values.target === 'gadgets' && (
        <>
          <PickMany
            plural="gadgets"
            label="Doors"
            required
            value={values.gadget_ids}
            onChange={ids => {
              set('gadget_ids', ids)
              set('action_id', null)
            }}
            error={errorOf('gadget_id')}
          />
          {values.gadget_ids.length === 1 && (
            <ActionChoice
              gadget_id={values.gadget_ids[0] ?? null}
              value={values.action_id}
              onChange={id => set('action_id', id)}
              error={errorOf('action_id')}
            />
          )}
        </>
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
      <Methods
        value={values.methods}
        onChange={methods => set('methods', methods)}
        error={is_asked && hasNoMethod(values) && 'Choose at least one method'}
      />
      <Switch
        label="Phone must be near the site"
        description="Applies to opening online. PIN, card and Bluetooth always count as near."
        checked={values.gps}
        disabled={values.methods !== null && !values.methods.includes('online')}
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
      <RuleReach values={values} group_id={group_id} />
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
  readonly error: string | false
}

function Methods({ value, onChange, error }: MethodsProps) {
  return (
    <Stack gap={8}>
      <Switch
        label="All methods"
        checked={value === null}
        onChange={event => onChange(event.currentTarget.checked ? null : ['pin', 'card'])}
      />
      {value && (
        <Checkbox.Group label="Allowed methods" value={[...value]} onChange={onChange} error={error}>
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
