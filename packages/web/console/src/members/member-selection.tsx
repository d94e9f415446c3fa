import { useState } from 'react'
import type { Selection } from '../parts/selection.tsx'
import { SelectionBar } from '../parts/selection-bar.tsx'
import { type ChangeKind, changeKinds } from './bulk-change.tsx'
import { BulkEdit, type Selected } from './bulk-edit.tsx'

interface MemberSelectionProps {
  readonly selection: Selection
  /** The filters of the list. */
  readonly filter: Readonly<Record<string, string>>
}

/** What can be done with the selected members. */
export function MemberSelection({ selection, filter }: MemberSelectionProps) {
  const [kind, setKind] = useState<ChangeKind>()
  const { ids, is_all, is_empty, clear } = selection
  const selected: Selected = is_all ? { filter } : { ids: [...ids] }
  const choices = Object.entries(changeKinds).map(([name, { label }]) => ({
    label,
    onClick: () => setKind(name as ChangeKind),
  }))
  return (
    <>
      <SelectionBar selection={selection} actions={choices} />
      {kind && !is_empty && (
        <BulkEdit kind={kind} selected={selected} onClose={() => setKind(undefined)} onDone={clear} />
      )}
    </>
  )
}
