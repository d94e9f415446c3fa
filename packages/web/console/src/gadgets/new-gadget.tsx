import type { Capabilities } from '@gatehouse-access/api'
import { Text } from '@mantine/core'
import { useLocation, useSearchParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { useApi } from '../session/use-api.ts'
import { type Part, PartsInput } from './parts-input.tsx'
import './gadgets.css'

interface Values {
  readonly name: string
  readonly device_id: string | null
  readonly actions: readonly Part[]
  readonly states: readonly Part[]
  readonly signals: readonly Part[]
}

const door: Omit<Values, 'device_id'> = {
  name: '',
  actions: [{ id: 'open', name: 'Open' }],
  states: [
    { id: 'closed', name: 'Closed' },
    { id: 'open', name: 'Open' },
  ],
  signals: [],
}

/** Starts with the actions and states of a door. `?new&device=…` preselects the device. */
export function NewGadget({ onClose }: { onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const draft = useDraft<Values>({ ...door, device_id: params.get('device') }, async values => {
    const { device_id, actions, states, signals, name } = values
    const { id } = await client.gadgets.create({
      name,
      device_id: device_id ?? '',
      actions: [...actions],
      states: [...states],
      signals: [...signals],
    })
    refresh('gadgets', 'devices')
    go(`/gadgets/${id}`, { replace: true })
  })
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
      <PartsInput kind="actions" draft={draft} />
      <PartsInput kind="states" draft={draft} />
      <PartsInput kind="signals" draft={draft} />
    </FormModal>
  )
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
    return 'This device controls nothing itself. Choose a controller, a lock or a relay module.'
  if (gadgets === 'single')
    return 'This device controls only one door and already has it. Rename that door instead.'
  if (count >= gadget_max_count)
    return `This device already controls ${gadget_max_count} doors, the most it can.`
  return `This device controls ${count} of up to ${gadget_max_count} doors.`
}
