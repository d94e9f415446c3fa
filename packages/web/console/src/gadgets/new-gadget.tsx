import { type Capabilities, type Door, doorTemplates, namedByDoor } from '@gatehouse-access/api'
import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { type Part, PartsInput } from './parts-input.tsx'
import './gadgets.css'

interface Values {
  readonly name: string
  readonly device_id: string | null
  readonly actions: readonly Part[]
  readonly states: readonly Part[]
  readonly signals: readonly Part[]
  readonly door: Door | null
}

type Kind = keyof typeof doorTemplates | 'other'
const kinds: Record<Kind, string> = {
  plain: t('Door with a lock'),
  holdable: t('Door that can be kept unlocked'),
  magnetic: t('Magnetic lock with an exit button'),
  other: t('Something else: a light, a lift, a locker'),
}
const nothing = { actions: [{ id: 'open', name: 'Open' }], states: [], signals: [], door: null }
const templates: Record<Kind, Omit<Values, 'name' | 'device_id'>> = { ...doorTemplates, other: nothing }

/** What the parts of a template are called in the language of the user. */
const partNames: Record<'actions' | 'states' | 'signals', Readonly<Record<string, string>>> = {
  actions: { open: t('Open', 'action'), hold: t('Keep unlocked', 'action'), secure: t('Lock', 'action') },
  states: { closed: t('Closed'), open: t('Open') },
  signals: { exit: t('Exit button') },
}

function templateOf(kind: Kind): Omit<Values, 'name' | 'device_id'> {
  const { actions, states, signals, door } = templates[kind]
  const named = (list: keyof typeof partNames, parts: readonly Part[]) =>
    parts.map(part => ({ ...part, name: partNames[list][part.id] ?? part.name }))
  return {
    actions: named('actions', actions),
    states: named('states', states),
    signals: named('signals', signals),
    door,
  }
}

/** Starts with the actions, states and signals of a door. `?new&device=…` preselects the device. */
export function NewGadget({ onClose }: { onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const draft = useDraft<Values>(
    { name: '', ...templateOf('plain'), device_id: params.get('device') },
    async values => {
      const { device_id, actions, states, signals, name, door } = values
      const { id } = await client.gadgets.create({
        name,
        device_id: device_id ?? '',
        actions: [...actions],
        states: [...states],
        signals: [...signals],
        door: hasAllOf(values) ? door : null,
      })
      refresh('gadgets', 'devices')
      go(`/gadgets/${id}`, { replace: true })
    },
  )
  const [kind, setKind] = useState<Kind>('plain')
  const choose = (chosen: Kind) => {
    setKind(chosen)
    const { actions, states, signals, door } = templateOf(chosen)
    draft.set('actions', actions)
    draft.set('states', states)
    draft.set('signals', signals)
    draft.set('door', door)
  }
  return (
    <FormModal title="New door" opened onClose={onClose} draft={draft} action="Add door">
      <DeclaredField
        kind="gadget"
        name="name"
        label="Name"
        draft={draft}
        autoFocus
        placeholder="Front door"
      />
      <Pick
        plural="devices"
        label="Device"
        description="The hardware that controls the door"
        required
        value={draft.values.device_id}
        onChange={id => draft.set('device_id', id)}
        error={draft.errorOf('device_id')}
      />
      <Room device_id={draft.values.device_id} />
      <Select
        label="Kind"
        description="Fills in what follows. How it locks can be changed later."
        allowDeselect={false}
        data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
        value={kind}
        onChange={value => choose(value as Kind)}
      />
      {!hasAllOf(draft.values) && (
        <Text size="xs" c="dimmed">
          An action, state or signal of this kind is missing below, so you will have to say on its page how it
          locks.
        </Text>
      )}
      <PartsInput kind="actions" draft={draft} />
      <PartsInput kind="states" draft={draft} />
      <PartsInput kind="signals" draft={draft} />
    </FormModal>
  )
}

/** Whether everything that the template says about the door is still in the lists. */
function hasAllOf({ door, ...lists }: Values): boolean {
  if (!door) return true
  return namedByDoor(door).every(({ list, id }) => lists[list].some(part => part.id === id))
}

interface Held {
  readonly gadgets?: readonly unknown[]
}

/** Shows whether the device can take another gadget, before the service rejects the request. */
function Room({ device_id }: { device_id: string | null }) {
  const { data } = useObject<'devices', Held>('devices', device_id, ['gadgets'])
  if (!data) return null
  const count = data.gadgets?.length ?? 0
  const full = count >= data.capabilities.gadget_max_count
  return (
    <Text size="xs" c={full ? 'red' : 'dimmed'} role={full ? 'alert' : undefined}>
      {roomWords(data.capabilities, count)}
    </Text>
  )
}

function roomWords({ gadgets, gadget_max_count }: Capabilities, count: number): string {
  if (gadgets === 'none')
    return t('This device controls nothing itself. Choose a controller, a lock or a relay module.')
  if (gadgets === 'single')
    return t('This device controls only one door and already has it. Rename that door instead.')
  if (count >= gadget_max_count)
    return t(`This device already controls ${gadget_max_count} doors, the most it can.`)
  return t(`This device controls ${count} of up to ${gadget_max_count} doors.`)
}
