import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { showFailure } from './failure.tsx'

interface ConfirmProps {
  readonly title: string
  /** The label of the button: a verb. */
  readonly action: string
  readonly children: ReactNode
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly failed?: string
}

/** Asks before an action that cannot be undone. Stays open until the service has completed it. */
export function Confirm({ title, action, children, onConfirm, onClose, failed }: ConfirmProps) {
  const [is_busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      showFailure(error, failed)
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title} size="md">
      <Stack gap="sm">
        <div className="confirm-text">{children}</div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={is_busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
