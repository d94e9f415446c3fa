import { Button, CloseButton, Group, Popover, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { IconBookmark } from '../icons/icons.ts'
import { useApi } from '../session/use-api.ts'
import { type EventFilters, givenViews, loadViews, type SavedView, storeViews, toParams } from './filters.ts'

interface ViewsProps {
  readonly filters: EventFilters
  readonly onOpen: (filters: EventFilters) => void
}

/** Lists the named sets of filters: the built-in views, and those saved in this browser. */
export function Views({ filters, onOpen }: ViewsProps) {
  const { organization } = useApi()
  const [own, setOwn] = useState(() => loadViews(organization.id))
  const keep = (views: readonly SavedView[]) => {
    storeViews(organization.id, views)
    setOwn(views)
  }
  const here = toParams(filters)
  const isHere = (view: SavedView) => toParams(view.filters) === here
  return (
    <Group gap={6} mb="sm" role="group" aria-label="Views">
      {[...givenViews, ...own].map(view => (
        <span key={view.name} className="events-view">
          <Button
            size="compact-sm"
            variant={isHere(view) ? 'light' : 'subtle'}
            color={isHere(view) ? 'blue' : 'gray'}
            aria-pressed={isHere(view)}
            onClick={() => onOpen(view.filters)}
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
      ))}
      <SaveView onSave={name => keep([...own.filter(view => view.name !== name), { name, filters }])} />
    </Group>
  )
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
