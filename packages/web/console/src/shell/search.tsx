import { Loader, Modal, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { keyOf } from '../data/collections.ts'
import { IconCornerDownLeft, IconSearch } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Name } from '../parts/name.tsx'
import { type Screen, screensOf } from '../screens.tsx'
import { useApi } from '../session/use-api.ts'
import { type Hit, searchEverything } from './search-everything.ts'

/** Searches screens and all named objects. Arrows select a result, Enter opens it. */
export function Search({ onClose }: { onClose: () => void }) {
  const { client, organization, has_screen } = useApi()
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 120)
  const [chosen, setChosen] = useState(0)
  const screens = useMemo(() => screensOf(organization.role), [organization.role])
  const { data, isFetching } = useQuery({
    queryKey: keyOf(organization.id, 'search', q),
    queryFn: ({ signal }) => searchEverything(client, q, has_screen, signal),
    enabled: q !== '',
    placeholderData: held => held,
  })
  const hits = useMemo(
    () => [...findScreens(screens, text), ...(q && data ? data : [])],
    [screens, text, q, data],
  )
  const current = Math.min(chosen, hits.length - 1)
  const open = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    go(hit.path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') open(hits[current])
    if (step === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(hits.length - 1, current + step)))
  }
  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="8vh">
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label="Search">
        <Modal.Body p={0}>
          <TextInput
            data-autofocus
            size="md"
            variant="unstyled"
            className="palette-input"
            aria-label="Search everything"
            role="combobox"
            aria-expanded
            aria-controls="palette-hits"
            aria-activedescendant={hits[current] ? `hit-${current}` : undefined}
            placeholder="Search members, doors, devices, groups…"
            value={text}
            leftSection={isFetching ? <Loader size={14} /> : <IconSearch size={17} aria-hidden />}
            onChange={event => {
              setText(event.currentTarget.value)
              setChosen(0)
            }}
            onKeyDown={onKeyDown}
          />
          <div id="palette-hits" role="listbox" aria-label="Results" className="palette-hits">
            {hits.map((hit, index) => (
              <UnstyledButton
                key={hit.path}
                id={`hit-${index}`}
                role="option"
                aria-selected={index === current}
                className="palette-hit"
                onMouseMove={() => setChosen(index)}
                onClick={() => open(hit)}
              >
                <Name>{hit.name}</Name>
                <span className="palette-kind">{hit.kind}</span>
                {index === current && <IconCornerDownLeft size={14} aria-hidden />}
              </UnstyledButton>
            ))}
          </div>
          {q && !isFetching && hits.length === 0 && <div className="palette-nothing">No results</div>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function findScreens(screens: readonly Screen[], text: string): Hit[] {
  const sought = text.trim().toLowerCase()
  return screens
    .filter(({ name }) => name.toLowerCase().startsWith(sought))
    .map(({ name, path }) => ({ name, path, kind: t('Page') }))
}
