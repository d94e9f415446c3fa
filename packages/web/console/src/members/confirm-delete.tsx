import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Name } from '../parts/name.tsx'

interface ConfirmProps {
  readonly name: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Use only for deletions that cannot be undone. */
export function ConfirmDelete({ name, onConfirm, onClose }: ConfirmProps) {
  return (
    <Modal opened onClose={onClose} title={`Delete ${name}`} size="sm">
      <Stack gap="sm">
        <Text size="sm">
          <Name>{name}</Name> stops working immediately and cannot be restored. You can create a new one.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            onClick={() => {
              onClose()
              onConfirm()
            }}
          >
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
