import { type Field, type ResourceKind, resourceOf } from '@gatehouse-access/api'
import { Select, Textarea, TextInput } from '@mantine/core'
import type { Draft } from './draft.ts'

interface Schema {
  readonly maxLength?: number
  readonly enum?: readonly string[]
}

interface DeclaredProps<V extends object> {
  readonly kind: ResourceKind
  readonly name: keyof V & string
  readonly label: string
  readonly draft: Draft<V>
  readonly multiline?: boolean
  readonly autoFocus?: boolean
  readonly placeholder?: string
  /** Defaults to the description in the declaration. Empty: no description. */
  readonly description?: string
}

/** A description that only repeats the label, so it is not shown. */
const says_nothing = 'Display name.'

/**
 * A text or choice input. Takes its length limit, required flag and description from the resource's
 * declaration.
 */
export function DeclaredField<V extends object>(props: DeclaredProps<V>) {
  const { kind, name, label, draft, multiline, autoFocus, placeholder } = props
  const field = resourceOf(kind).fields[name] as Field
  const schema = field.type.schema as Schema
  const value = String(draft.values[name] ?? '')
  const common = {
    label,
    description: props.description ?? (field.about === says_nothing ? '' : field.about),
    required: field.create === 'required',
    error: draft.errorOf(name),
    'data-autofocus': autoFocus || undefined,
    ...(placeholder !== undefined && { placeholder }),
  }
  const set = (text: string | null) => draft.set(name, (text === '' && field.nullable ? null : text) as never)
  if (schema.enum)
    return (
      <Select
        {...common}
        data={[...schema.enum]}
        value={value}
        onChange={set}
        allowDeselect={field.nullable ?? false}
      />
    )
  const length = schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }
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
