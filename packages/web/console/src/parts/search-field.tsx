import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { IconSearch } from '../icons/icons.ts'

/** Holds the search text. It is part of the address, so that a search can be linked to. */
export function useSearchText(): readonly [string, string, (text: string) => void] {
  const [params, setParams] = useSearchParams()
  const given = params.get('q') ?? ''
  const [text, setText] = useState(given)
  const [settled] = useDebouncedValue(text.trim(), 150)
  // What was written into the address last. Something else is from a view or a link.
  const written = useRef(given)
  useEffect(() => {
    if (given === written.current) return
    written.current = given
    setText(given)
  }, [given])
  useEffect(() => {
    written.current = settled
    setParams(
      held => {
        const next = new URLSearchParams(held)
        if (settled) next.set('q', settled)
        else next.delete('q')
        return next
      },
      { replace: true },
    )
  }, [settled, setParams])
  return [text, settled, setText]
}

export function SearchField(props: { label: string; value: string; onChange: (text: string) => void }) {
  return (
    <TextInput
      type="search"
      aria-label={props.label}
      placeholder={props.label}
      value={props.value}
      onChange={event => props.onChange(event.currentTarget.value)}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        props.value && <CloseButton size="sm" aria-label="Clear search" onClick={() => props.onChange('')} />
      }
      className="search-field"
    />
  )
}
