import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { locale } from '../language/languages.ts'
import { showFailure } from './failure.tsx'
import './selection.css'

interface BulkDialogProps {
  readonly title: string
  /** How many are selected, how many will change, and so on. */
  readonly numbers: readonly (readonly [label: string, count: number])[]
  /** The label of the button: a verb and how many. */
  readonly action: string
  readonly is_deletion?: boolean
  /** True: nothing would change. */
  readonly is_empty: boolean
  readonly failed: string
  readonly children?: ReactNode
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/** Shows what a change of many means, before the button that makes it. */
export function BulkDialog(props: BulkDialogProps) {
  const { title, numbers, action, is_deletion, is_empty, failed, children, onConfirm, onClose } = props
  const [is_busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
    } catch (failure) {
      showFailure(failure, failed)
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="sm"
      closeOnClickOutside={!is_busy}
      closeOnEscape={!is_busy}
      withCloseButton={!is_busy}
    >
      <Stack gap="sm">
        <dl className="bulk-numbers">
          {numbers.map(([label, count]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{count.toLocaleString(locale)}</dd>
            </div>
          ))}
        </dl>
        {children}
        <Group justify="flex-end" gap="xs" className="form-end">
          <Button variant="default" onClick={onClose} disabled={is_busy} data-autofocus>
            Cancel
          </Button>
          <Button
            {...(is_deletion && { color: 'red' })}
            loading={is_busy}
            disabled={is_empty}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
