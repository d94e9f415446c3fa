import { Select } from '@mantine/core'
import { useObject } from '../data/use-object.ts'
import { t } from '../language/t.ts'
import { Pick } from './pick.tsx'

interface Signal {
  readonly gadget_id: string
  readonly signal_id: string
}

interface SignalPickProps {
  readonly label: string
  readonly description: string
  /** The signal is empty until one is chosen. */
  readonly value: Signal | null
  readonly onChange: (signal: Signal | null) => void
  readonly site_id?: string | null
  readonly error?: string | undefined
}

/** Picks a signal of a gadget, such as a button. */
export function SignalPick({ label, description, value, onChange, site_id, error }: SignalPickProps) {
  const { data: gadget } = useObject('gadgets', value?.gadget_id)
  return (
    <div className="pair">
      <Pick
        plural="gadgets"
        label={label}
        description={description}
        placeholder={t('None', 'door')}
        {...(site_id && { query: { site_id } })}
        value={value?.gadget_id ?? null}
        onChange={gadget_id => onChange(gadget_id ? { gadget_id, signal_id: '' } : null)}
        error={error}
      />
      {value && (
        <Select
          label="Signal"
          description={gadget?.signals.length === 0 ? 'It has no signals.' : 'Which starts it.'}
          required
          allowDeselect={false}
          data={gadget?.signals.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={value.signal_id || null}
          onChange={signal_id => signal_id && onChange({ ...value, signal_id })}
        />
      )}
    </div>
  )
}
