import { Anchor, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SearchSelect } from '../../form/search-select.tsx'
import type { Operation, Parameter } from './document.ts'
import type { Filled } from './request.ts'

interface ParametersProps {
  readonly operation: Operation
  readonly filled: Filled
  readonly onChange: (name: string, value: string) => void
}

const few = 6

/** Shows required parameters first. Lists have dozens of filters, so only the first few are shown. */
export function ParameterFields({ operation, filled, onChange }: ParametersProps) {
  const [is_whole, setWhole] = useState(false)
  const sorted = operation.parameters.toSorted(
    (a, b) => Number(b.required ?? false) - Number(a.required ?? false),
  )
  const needed = sorted.filter(({ required }) => required).length
  const shown = is_whole ? sorted : sorted.slice(0, Math.max(few, needed))
  if (sorted.length === 0) return null
  return (
    <>
      <div className="pair">
        {shown.map(parameter => (
          <Field
            key={parameter.name}
            parameter={parameter}
            value={filled[parameter.name] ?? ''}
            onChange={value => onChange(parameter.name, value)}
          />
        ))}
      </div>
      {sorted.length > shown.length && (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setWhole(true)}>
          Show {sorted.length - shown.length} more parameters
        </Anchor>
      )}
    </>
  )
}

interface FieldProps {
  readonly parameter: Parameter
  readonly value: string
  readonly onChange: (value: string) => void
}

function Field({ parameter, value, onChange }: FieldProps) {
  const { name, required = false, description, example, schema } = parameter
  const common = { label: name, description, required, size: 'xs' } as const
  if (schema?.enum)
    return (
      <SearchSelect
        {...common}
        data={schema.enum.map(String)}
        value={value || null}
        clearable={!required}
        onChange={held => onChange(held ?? '')}
      />
    )
  return (
    <TextInput
      {...common}
      placeholder={example === undefined ? '' : String(example)}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
