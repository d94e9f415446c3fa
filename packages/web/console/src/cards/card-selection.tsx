import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import type { Selection } from '../parts/selection.tsx'
import { SelectionBar } from '../parts/selection-bar.tsx'
import { type ChangeKind, changeKinds } from './bulk-change.ts'
import { BulkChangeDialog } from './bulk-change-dialog.tsx'
import type { Refused } from './use-bulk-change.ts'

interface CardSelectionProps {
  readonly selection: Selection
  /** The filters of the list. */
  readonly filter: Readonly<Record<string, string>>
}

/** What can be done with the selected cards. */
export function CardSelection({ selection, filter }: CardSelectionProps) {
  const [kind, setKind] = useState<ChangeKind>()
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const choices = Object.entries(changeKinds).map(([name, { label }]) => ({
    label,
    onClick: () => setKind(name as ChangeKind),
  }))
  return (
    <>
      <SelectionBar selection={selection} actions={choices} />
      {kind && (
        <BulkChangeDialog
          kind={kind}
          selected={selection.is_all ? { filter } : { ids: [...selection.ids] }}
          onClose={() => setKind(undefined)}
          onDone={left => {
            selection.clear()
            setRefused(left)
          }}
        />
      )}
      {refused.length > 0 && <NotChanged refused={refused} onClose={() => setRefused([])} />}
    </>
  )
}

/** How many are named. */
const most = 20

function NotChanged({ refused, onClose }: { refused: readonly Refused[]; onClose: () => void }) {
  const more = refused.length - most
  return (
    <Modal opened onClose={onClose} title="Not all cards were changed" size="md">
      <Stack gap="sm">
        <ul className="confirm-text">
          {refused.slice(0, most).map(({ id, title, why }) => (
            <li key={id}>
              <bdi>{title}</bdi>: {why}
            </li>
          ))}
          {more > 0 && <li>{t(`And ${more.toLocaleString(locale)} more`)}</li>}
        </ul>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
