import { Select } from '@mantine/core'
import { useObject } from '../data/use-object.ts'
import type { Draft } from '../form/draft.ts'
import { Pick } from '../form/pick.tsx'
import type { Values } from './trigger-values.ts'

const sides = {
  source: { gadget: 'source_gadget_id', parts: ['source_state_id', 'source_signal_id'] },
  target: { gadget: 'target_gadget_id', parts: ['target_action_id'] },
} as const

const lists = {
  source_state_id: 'states',
  source_signal_id: 'signals',
  target_action_id: 'actions',
} as const

interface GadgetPartProps {
  readonly draft: Draft<Values>
  readonly side: keyof typeof sides
  readonly part: keyof typeof lists
  readonly label: string
  readonly part_label: string
  /** What to say of a gadget without such parts. */
  readonly none?: string
  /** Whether another gadget is of the same site. */
  readonly keeps_site?: boolean
}

/** Picks a gadget, and one of its states, signals or actions. */
export function GadgetPart({ draft, side, part, label, part_label, none = '', keeps_site }: GadgetPartProps) {
  const { values, set, errorOf } = draft
  const { gadget: field, parts } = sides[side]
  const gadget = useObject('gadgets', values[field]).data
  const choices = gadget?.[lists[part]] ?? []
  return (
    <div className="pair">
      <Pick
        plural="gadgets"
        label={label}
        required
        {...(keeps_site && gadget && { query: { site_id: gadget.site_id } })}
        value={values[field]}
        onChange={id => {
          set(field, id)
          for (const name of parts) set(name, null)
        }}
        error={errorOf(field)}
      />
      <Select
        label={part_label}
        required
        allowDeselect={false}
        disabled={choices.length === 0}
        placeholder={gadget && choices.length === 0 ? none : ''}
        value={values[part]}
        onChange={id => set(part, id)}
        error={errorOf(part)}
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </div>
  )
}
