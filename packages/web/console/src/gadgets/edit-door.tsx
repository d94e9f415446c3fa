import { Button, MultiSelect, NumberInput, Select, Text } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { type Draft, useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { spoken, t } from '../language/t.ts'
import type { Door } from '../overview/door.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import { egressWords, lockWords, stopWords } from './door-words.ts'

type Values = NonNullable<Door['door']>
type Draw = Draft<Values>

/** Says what the actions, states and signals of a gadget mean. */
export function EditDoor({ gadget, onClose }: { gadget: Door; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const save = async (door: Values | null) => {
    await client.gadgets.edit(gadget.id, { door })
    refresh('gadgets')
    onClose()
  }
  const stopBeingDoor = () => save(null).catch(error => void showFailure(error, t('Could not save')))
  const draft = useDraft<Values>(gadget.door ?? guessed(gadget), save)
  const pick = { draft, gadget }
  return (
    <FormModal title="Lock and exit" opened onClose={onClose} draft={draft} action="Save">
      <PartSelect {...pick} name="release_action_id" of="actions" label="Opens it for a moment" required />
      <NumberInput
        label="Expect it to open within (s)"
        min={1}
        max={300}
        allowDecimal={false}
        value={draft.values.release_seconds ?? 5}
        error={draft.errorOf('door.release_seconds')}
        onChange={value => draft.set('release_seconds', Number(value))}
      />
      <PartSelect {...pick} name="hold_action_id" of="actions" label="Keeps it unlocked" />
      <PartSelect {...pick} name="secure_action_id" of="actions" label="Locks it again" />
      <PartSelect {...pick} name="open_state_id" of="states" label="State while it stands open" />
      <PartSelect {...pick} name="closed_state_id" of="states" label="State while it is closed" />
      <NumberInput
        label="May stand open for (s)"
        description="Empty: any time"
        min={5}
        max={86_400}
        allowDecimal={false}
        value={draft.values.held_open_seconds ?? ''}
        error={draft.errorOf('door.held_open_seconds')}
        onChange={value => draft.set('held_open_seconds', value === '' ? null : Number(value))}
      />
      <Choice draft={draft} name="egress" label="How people leave" words={egressWords} />
      <PartSelect {...pick} name="exit_signal_id" of="signals" label="Request to exit" />
      <MultiSelect
        label="Actions that let people out"
        data={gadget.actions.map(({ id, name }) => ({ value: id, label: name }))}
        value={[...(draft.values.exit_action_ids ?? [])]}
        onChange={ids => draft.set('exit_action_ids', ids)}
      />
      <PartSelect {...pick} name="tamper_signal_id" of="signals" label="Tamper signal" />
      <Choice
        draft={draft}
        name="lock_type"
        label="Lock"
        words={lockWords}
        onPick={type => draft.set('on_stop', type === 'fail_safe' ? 'keep' : 'secure')}
      />
      <Choice draft={draft} name="on_stop" label="When the controller stops" words={stopWords} />
      <Text size="xs" c="dimmed">
        Exit devices and fire release are wired in hardware. These settings add to them and never replace
        them.
      </Text>
      {gadget.door && (
        <Button variant="subtle" color="red" size="compact-xs" onClick={() => void stopBeingDoor()}>
          No longer a door
        </Button>
      )}
    </FormModal>
  )
}

/** The first action opens, and a pair of states called open and closed is the contact. */
function guessed({ actions, states }: Door): Values {
  const has = (id: string) => states.some(state => state.id === id)
  const contact = has('open') && has('closed') && { open_state_id: 'open', closed_state_id: 'closed' }
  return { release_action_id: actions[0]?.id ?? '', held_open_seconds: 30, ...contact }
}

interface PartProps {
  readonly draft: Draw
  readonly gadget: Door
  readonly name:
    | 'release_action_id'
    | 'hold_action_id'
    | 'secure_action_id'
    | 'open_state_id'
    | 'closed_state_id'
    | 'exit_signal_id'
    | 'tamper_signal_id'
  readonly of: 'actions' | 'states' | 'signals'
  readonly label: string
  readonly required?: boolean
}

const lacking = spoken({
  actions: 'It has no actions',
  states: 'It has no states',
  signals: 'It has no signals',
})

function PartSelect({ draft, gadget, name, of, label, required = false }: PartProps) {
  return (
    <Select
      label={label}
      required={required}
      clearable={!required}
      allowDeselect={!required}
      placeholder={gadget[of].length > 0 ? 'None' : lacking[of]}
      data={gadget[of].map(part => ({ value: part.id, label: part.name }))}
      value={draft.values[name] ?? null}
      error={draft.errorOf(`door.${name}`)}
      onChange={id => (id === null && required ? undefined : draft.set(name, id as string))}
    />
  )
}

interface ChoiceProps<Name extends 'egress' | 'lock_type' | 'on_stop'> {
  readonly draft: Draw
  readonly name: Name
  readonly label: string
  readonly words: { readonly [Key in NonNullable<Values[Name]>]: string }
  readonly onPick?: (value: string) => void
}

function Choice<Name extends 'egress' | 'lock_type' | 'on_stop'>(props: ChoiceProps<Name>) {
  const { draft, name, label, words, onPick } = props
  const entries = Object.entries<string>(words)
  return (
    <Select
      label={label}
      allowDeselect={false}
      data={entries.map(([value, text]) => ({ value, label: text }))}
      value={draft.values[name] ?? entries[0]?.[0] ?? null}
      error={draft.errorOf(`door.${name}`)}
      onChange={value => {
        draft.set(name, value as Values[Name])
        onPick?.(value ?? '')
      }}
    />
  )
}
