import type { ResourceKind } from '@gatehouse-access/api'
import { Select, Textarea, TextInput } from '@mantine/core'
import { type DeclaredField as Declared, fields } from '../data/declarations.ts'
import type { Draft } from './draft.ts'

/** For a field that is not declared. */
const plain: Declared = {}

interface DeclaredProps<V extends object> {
  readonly kind: ResourceKind
  readonly name: keyof V & string
  readonly label: string
  readonly draft: Draft<V>
  readonly multiline?: boolean
  readonly autoFocus?: boolean
  readonly placeholder?: string
  readonly description?: string
}

/**
 * A text or choice input. Takes its length limit and required flag from the resource's declaration.
 */
export function DeclaredField<V extends object>(props: DeclaredProps<V>) {
  const { kind, name, label, draft, multiline, autoFocus, placeholder } = props
  const field = fields[kind]?.[name] ?? plain
  const value = String(draft.values[name] ?? '')
  const common = {
    label,
    description: props.description ?? '',
    required: field.is_required ?? false,
    error: draft.errorOf(name),
    'data-autofocus': autoFocus || undefined,
    ...(placeholder !== undefined && { placeholder }),
  }
  const set = (text: string | null) =>
    draft.set(name, (text === '' && field.is_nullable ? null : text) as never)
  if (field.choices)
    return (
      <Select
        {...common}
        data={[...field.choices]}
        value={value}
        onChange={set}
        allowDeselect={field.is_nullable ?? false}
      />
    )
  const length = field.length === undefined ? {} : { maxLength: field.length }
  if (multiline)
    return (
      <Textarea
        {...common}
        {...length}
        value={value}
        autosize
        minRows={3}
        maxRows={10}
        onChange={event => set(event.currentTarget.value)}
      />
    )
  return (
    <TextInput {...common} {...length} value={value} onChange={event => set(event.currentTarget.value)} />
  )
}
