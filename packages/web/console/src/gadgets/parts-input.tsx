import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import type { Draft } from '../form/draft.ts'
import { toLocalId } from '../form/local-id.ts'
import { IconPlus, IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'

export interface Part {
  readonly id: string
  readonly name: string
}
type PartKind = 'actions' | 'states' | 'signals'
type PartValues = Readonly<Record<PartKind, readonly Part[]>>

const words: Record<PartKind, { readonly title: string; readonly one: string; readonly about: string }> = {
  actions: {
    title: 'Actions',
    one: t('action'),
    about: 'What the door can do: open, close, light up.',
  },
  states: {
    title: 'States',
    one: t('state'),
    about: 'What the door can be: closed, open, ajar. Reported by its device.',
  },
  signals: { title: 'Signals', one: t('signal'), about: 'What the door can announce: a bell, an alarm.' },
}

interface PartsProps<V extends PartValues> {
  readonly kind: PartKind
  readonly draft: Draft<V>
}

/** Edits a list of parts, each with an id for programs and a name for people. */
export function PartsInput<V extends PartValues>({ kind, draft }: PartsProps<V>) {
  const { title, one, about } = words[kind]
  const parts = draft.values[kind]
  const set = (next: readonly Part[]) => draft.set(kind, next as V[PartKind])
  const change = (index: number, part: Partial<Part>) =>
    set(parts.with(index, { ...(parts[index] as Part), ...part }))
  return (
    <fieldset className="gadgets-parts">
      <legend>{title}</legend>
      <Text size="xs" c="dimmed">
        {about}
      </Text>
      {parts.map((part, index) => (
        <div key={index} className="gadgets-part">
          <TextInput
            aria-label={`Name of ${one} ${index + 1}`}
            placeholder="Name"
            required
            maxLength={255}
            value={part.name}
            error={draft.errorOf(`${kind}.${index}.name`)}
            onChange={event => change(index, named(part, event.currentTarget.value))}
          />
          <TextInput
            aria-label={`ID of ${one} ${index + 1}`}
            placeholder="ID"
            required
            maxLength={64}
            classNames={{ input: 'mono' }}
            value={part.id}
            error={problemOf(parts, index) ?? draft.errorOf(`${kind}.${index}.id`)}
            onChange={event => change(index, { id: event.currentTarget.value })}
          />
          <ActionIcon
            aria-label={`Remove ${one} ${index + 1}`}
            onClick={() => set(parts.toSpliced(index, 1))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </div>
      ))}
      {draft.errorOf(kind) && (
        <Text size="xs" c="red" role="alert">
          {draft.errorOf(kind)}
        </Text>
      )}
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconPlus size={13} />}
        onClick={() => set([...parts, { id: '', name: '' }])}
      >
        Add {one}
      </Button>
    </fieldset>
  )
}

/** The id follows the name until the user changes the id. */
function named(part: Part, name: string): Part {
  return { name, id: part.id === toLocalId(part.name) ? toLocalId(name) : part.id }
}

function problemOf(parts: readonly Part[], index: number): string | undefined {
  const { id } = parts[index] as Part
  if (id === '') return undefined
  if (!/^[a-z0-9_]+$/.test(id)) return t('Use only a-z, 0-9 and _')
  return parts.findIndex(part => part.id === id) < index ? t(`“${id}” is already used`) : undefined
}
