import { Button, CloseButton, Group, Popover, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { IconBookmark } from '../icons/icons.ts'
import { useApi } from '../session/use-api.ts'
import { useKept } from './use-kept.ts'

/** A named set of filters, with the order and the search text: what the address holds. */
export interface View {
  readonly name: string
  readonly filters: Readonly<Record<string, string>>
  readonly columns?: readonly string[]
}

interface ViewsProps {
  /** The list that the views belong to. */
  readonly list: string
  readonly given: readonly View[]
  /** If columns can be chosen, a view keeps them too. */
  readonly columns?: { readonly ids: readonly string[]; choose(ids: readonly string[]): void }
}

/** Lists the built-in views, and those that the user has saved in this browser. */
export function Views({ list, given, columns }: ViewsProps) {
  const { organization } = useApi()
  const [params, setParams] = useSearchParams()
  const [own, keep] = useKept<readonly View[]>(`views-${list}-${organization.id}`, [])
  const filters = Object.fromEntries([...params].filter(([name]) => name !== 'new'))
  const here = identify(filters)
  const open = (view: View) => {
    setParams({ ...view.filters })
    if (view.columns) columns?.choose(view.columns)
  }
  const save = (name: string) => {
    const view = { name, filters, ...(columns && { columns: columns.ids }) }
    keep([...own.filter(held => held.name !== name), view])
  }
  return (
    <Group gap={6} mb="sm" role="group" aria-label="Views">
      {[...given, ...own].map(view => {
        const is_here = identify(view.filters) === here
        return (
          <span key={view.name} className="view">
            <Button
              size="compact-sm"
              variant={is_here ? 'light' : 'subtle'}
              color={is_here ? 'blue' : 'gray'}
              aria-pressed={is_here}
              onClick={() => open(view)}
            >
              {view.name}
            </Button>
            {own.includes(view) && (
              <CloseButton
                size="xs"
                aria-label={`Delete view ${view.name}`}
                onClick={() => keep(own.filter(other => other !== view))}
              />
            )}
          </span>
        )
      })}
      <SaveView onSave={save} />
    </Group>
  )
}

function identify(filters: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function SaveView({ onSave }: { onSave: (name: string) => void }) {
  const [is_open, open] = useDisclosure(false)
  const [name, setName] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!name.trim()) return
    onSave(name.trim())
    setName('')
    open.close()
  }
  return (
    <Popover opened={is_open} onChange={open.toggle} trapFocus position="bottom-start">
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconBookmark size={14} />}
          onClick={open.toggle}
        >
          Save view
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={save}>
          <Group gap="xs" align="flex-end">
            <TextInput
              label="View name"
              value={name}
              maxLength={60}
              onChange={event => setName(event.currentTarget.value)}
            />
            <Button type="submit">Save</Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
