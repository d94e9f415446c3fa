import { mostNamed } from '@gatehouse-access/api'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { locale } from '../language/languages.ts'
import './selection.css'
import type { Selection } from '../parts/selection.tsx'
import { type ChangeKind, changeKinds } from './bulk-change.tsx'
import { BulkEdit, type Selected } from './bulk-edit.tsx'

interface SelectionBarProps {
  readonly selection: Selection
  /** The filters of the list. */
  readonly filter: Readonly<Record<string, string>>
}

/** Says how many members are selected, and what can be done with all of them. */
export function SelectionBar({ selection, filter }: SelectionBarProps) {
  const [kind, setKind] = useState<ChangeKind>()
  const { ids, is_all, is_empty, setAll, clear } = selection
  if (is_empty) return null
  const is_too_many = ids.size > mostNamed
  const selected: Selected = is_all ? { filter } : { ids: [...ids] }
  return (
    <section className="selection-bar" aria-label="Selection">
      <Text size="sm" fw={600} role="status">
        {is_all ? 'All that match are selected' : `${ids.size.toLocaleString(locale)} selected`}
      </Text>
      {!is_all && (
        <Button variant="subtle" size="compact-sm" onClick={setAll}>
          Select all that match
        </Button>
      )}
      <Button variant="subtle" size="compact-sm" onClick={clear}>
        Clear
      </Button>
      <div className="selection-actions">
        {Object.entries(changeKinds).map(([name, { label }]) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            disabled={is_too_many}
            onClick={() => setKind(name as ChangeKind)}
          >
            {label}
          </Button>
        ))}
      </div>
      {is_too_many && (
        <Text size="xs" c="dimmed">
          At most {mostNamed.toLocaleString(locale)} can be selected one by one. Select all that match
          instead.
        </Text>
      )}
      {kind && <BulkEdit kind={kind} selected={selected} onClose={() => setKind(undefined)} onDone={clear} />}
    </section>
  )
}
