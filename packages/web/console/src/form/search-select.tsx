import { Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react'

/**
 * One of many, found by typing. What is typed replaces what was chosen, never adds to it. Enter in an open list takes what
 * is marked, else the first that was found, and never sends the form.
 */
export function SearchSelect(props: SelectProps) {
  const [is_open, setOpen] = useState(false)
  return (
    <Select
      // Choosing what is chosen keeps it: there is a button to clear.
      allowDeselect={false}
      {...props}
      searchable
      selectFirstOptionOnChange
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onFocus={selectText}
      // The click that opens the list has put the caret somewhere; later ones may.
      onClick={is_open ? undefined : selectText}
      onKeyDown={is_open ? takeFirst : undefined}
    />
  )
}

function selectText({ currentTarget }: SyntheticEvent): void {
  if (currentTarget instanceof HTMLInputElement) currentTarget.select()
}

function takeFirst(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
  if (list?.querySelector('[data-combobox-selected]')) return
  list?.querySelector<HTMLElement>('[data-combobox-option]')?.click()
}
