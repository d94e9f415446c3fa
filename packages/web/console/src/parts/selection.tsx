import { Checkbox } from '@mantine/core'
import { useState } from 'react'

/** What is selected in a list: some objects by their IDs, or all that match. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly is_all: boolean
  readonly is_empty: boolean
  has(id: string): boolean
  set(ids: readonly string[], is_selected: boolean): void
  setAll(): void
  clear(): void
}

const none: ReadonlySet<string> = new Set()

/** Holds a selection. It belongs to one search: another one begins without. */
export function useSelection(search: string): Selection {
  const [held, setHeld] = useState({ search, ids: none, is_all: false })
  const { ids, is_all } = held.search === search ? held : { ids: none, is_all: false }
  return {
    ids,
    is_all,
    is_empty: !is_all && ids.size === 0,
    has: id => is_all || ids.has(id),
    set(changed, is_selected) {
      const next = new Set(is_all ? [] : ids)
      for (const id of changed) {
        if (is_selected) next.add(id)
        else next.delete(id)
      }
      setHeld({ search, ids: next, is_all: false })
    },
    setAll: () => setHeld({ search, ids: none, is_all: true }),
    clear: () => setHeld({ search, ids: none, is_all: false }),
  }
}

interface SelectBoxProps {
  readonly label: string
  readonly ids: readonly string[]
  readonly selection: Selection
}

/** Selects one object, or all that are shown. */
export function SelectBox({ label, ids, selection }: SelectBoxProps) {
  const count = ids.filter(id => selection.has(id)).length
  const is_whole = count > 0 && count === ids.length
  return (
    <Checkbox
      size="sm"
      aria-label={label}
      checked={is_whole}
      indeterminate={count > 0 && !is_whole}
      onChange={event => selection.set(ids, event.currentTarget.checked)}
    />
  )
}
