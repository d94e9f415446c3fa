import { Group, MultiSelect, Radio } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { collection, keyOf, type Plural, type QueryOf } from '../data/collections.ts'
import { type List, useList } from '../data/use-list.ts'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { SearchSelect, takeFirst } from './search-select.tsx'

interface Option {
  readonly value: string
  readonly label: string
}

type Named = { readonly id: string; readonly name?: string | null }

interface CommonProps<P extends Plural> {
  readonly plural: P
  readonly label: string
  /** Filters in addition to the search text. */
  readonly query?: QueryOf<P>
  readonly placeholder?: string
  readonly description?: string
  readonly error?: string | undefined
  readonly required?: boolean
  readonly disabled?: boolean
  /** Returns the label of an object. Defaults to its name. */
  readonly nameOf?: (item: never) => string
}

const defaultName = (item: Named) => item.name || item.id

/** Picks one object. The service searches while the user types, so it works for any number of objects. */
export function Pick<P extends Plural>(
  props: CommonProps<P> & {
    readonly value: string | null
    readonly onChange: (id: string | null) => void
    readonly clearable?: boolean
    /** If there are few, all are shown, so that one click chooses. If there is only one, it is chosen. */
    readonly shows_few?: boolean
  },
) {
  const { options, setText, nothing, all } = useOptions(props, props.value ? [props.value] : [])
  const few = props.shows_few && all && all.length <= 4 ? all : undefined
  const given = props.value === null && few?.length === 1 ? few[0]?.value : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is known
  useEffect(() => {
    if (given !== undefined) props.onChange(given)
  }, [given])
  if (few && few.length > 1)
    return (
      <Radio.Group
        label={props.label}
        required={props.required ?? false}
        error={props.error}
        value={props.value}
        onChange={props.onChange}
      >
        <Group gap="md" mt={4}>
          {few.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Group>
      </Radio.Group>
    )
  return (
    <SearchSelect
      {...inputProps(props)}
      data={options}
      value={props.value}
      onChange={props.onChange}
      onSearchChange={setText}
      clearable={props.clearable ?? !props.required}
      filter={({ options }) => options}
      nothingFoundMessage={nothing}
    />
  )
}

export function PickMany<P extends Plural>(
  props: CommonProps<P> & { readonly value: readonly string[]; readonly onChange: (ids: string[]) => void },
) {
  const { options, setText, nothing, picked } = useOptions(props, props.value)
  const [is_open, setOpen] = useState(false)
  return (
    <MultiSelect
      {...inputProps(props)}
      selectFirstOptionOnChange
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onKeyDown={is_open ? takeFirst : undefined}
      // What is picked is hidden from the list, and named by its option.
      data={[...options, ...picked.filter(({ value }) => !options.some(option => option.value === value))]}
      value={[...props.value]}
      onChange={props.onChange}
      onSearchChange={setText}
      filter={({ options }) => options}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage={nothing}
    />
  )
}

function inputProps<P extends Plural>(props: CommonProps<P>) {
  return {
    label: props.label,
    placeholder: props.placeholder ?? 'Search…',
    ...(props.description !== undefined && { description: props.description }),
    error: props.error,
    required: props.required ?? false,
    disabled: props.disabled ?? false,
  }
}

/**
 * Returns the search results and the objects already chosen. The names of chosen objects are loaded one by
 * one.
 */
function useOptions<P extends Plural>(props: CommonProps<P>, chosen: readonly string[]) {
  const { client, organization } = useApi()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 150)
  const name = (props.nameOf ?? defaultName) as (item: Named) => string
  const found = useList(props.plural, { ...props.query, ...(q && { q }), limit: 20 } as QueryOf<P>)
  const items = found.items as readonly Named[]
  // The name of what was picked from the list is known, although the list shows something else by now.
  const seen = useRef(new Map<string, string>()).current
  for (const item of items) seen.set(item.id, name(item))
  const missing = chosen.filter(id => !items.some(item => item.id === id))
  const held = useQueries({
    queries: missing.map(id => ({
      queryKey: keyOf(organization.id, props.plural, 'one', id, []),
      queryFn: () => collection(client, props.plural).get(id) as Promise<Named>,
    })),
  })
  // The input shows the name of the chosen object, which is not a search text.
  const isName =
    held.some(({ data }) => data && name(data) === text) ||
    items.some(item => chosen.includes(item.id) && name(item) === text)
  // Results for an earlier text are not offered, because Enter would pick the first of them.
  const is_behind = !isName && (text.trim() !== q || found.is_stale)
  // Search results come first, because Enter picks the first option.
  const options: Option[] = [
    ...(is_behind ? [] : items.map(item => ({ value: item.id, label: name(item) }))),
    // Without a label, the input would show the id, and move what is below it when the name arrives.
    ...held.map(({ data }, index) => {
      const id = missing[index] ?? ''
      return { value: id, label: data ? name(data) : (seen.get(id) ?? '…') }
    }),
  ]
  return {
    options,
    setText: (given: string) => setText(isName && given === text ? '' : given),
    nothing: is_behind ? 'Searching…' : nothingWords(props, found, q),
    /** What is chosen, also while the list is behind what is typed. */
    picked: items
      .filter(({ id }) => chosen.includes(id))
      .map(item => ({ value: item.id, label: name(item) })),
    /** All that there are, once that is known. */
    all: !text && !found.is_loading && !found.has_more ? options : undefined,
  }
}

/** Explains an empty list: still loading, failed, no match, or no objects yet. */
function nothingWords<P extends Plural>({ query }: CommonProps<P>, found: List<unknown>, q: string): string {
  if (found.error) return t('Could not load. Try again in a moment.')
  if (found.is_loading || found.is_stale) return t('Searching…')
  if (q || query) return t('No results')
  return t('There is none yet. Create one first.')
}
