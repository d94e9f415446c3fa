import { Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, type SyntheticEvent, useRef, useState } from 'react'

/**
 * A searchable select. Typing replaces the chosen value instead of adding to its text. Enter in an open list
 * picks the highlighted option, else the first result, and never submits the form.
 */
export function SearchSelect({ onSearchChange, ...props }: SelectProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [is_open, setOpen] = useState(false)
  const [is_typing, setTyping] = useState(false)
  const search = (given: string) => {
    // The name of what is chosen, which arrives late, does not replace what somebody types meanwhile.
    if (is_typing && document.activeElement === input.current && input.current?.value !== given) return
    setText(given)
    onSearchChange?.(given)
  }
  return (
    <Select
      ref={input}
      searchValue={text}
      onSearchChange={search}
      onInput={() => setTyping(true)}
      onOptionSubmit={() => setTyping(false)}
      onBlur={() => setTyping(false)}
      // Picking the chosen option again keeps it. A separate button clears it.
      allowDeselect={false}
      {...props}
      searchable
      selectFirstOptionOnChange
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onFocus={selectText}
      // The click that opens the list places the caret, so the text is selected again. Later clicks may move
      // the caret.
      onClick={is_open ? undefined : selectText}
      onKeyDown={is_open ? takeFirst : undefined}
    />
  )
}

function selectText({ currentTarget }: SyntheticEvent): void {
  if (currentTarget instanceof HTMLInputElement) currentTarget.select()
}

/** Enter in an open list picks its first option, if none is highlighted, and never submits the form. */
export function takeFirst(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
  if (list?.querySelector('[data-combobox-selected]')) return
  list?.querySelector<HTMLElement>('[data-combobox-option]')?.click()
}
