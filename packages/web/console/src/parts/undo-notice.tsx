import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { showFailure } from './failure.tsx'

interface Undoable {
  readonly message: ReactNode
  /** Omitted if it cannot be undone. */
  readonly undo?: (() => unknown) | undefined
  /** Shown afterwards: `Front door restored`. */
  readonly undone: string
  readonly failed: string
}

/** Says what was done, and offers an undo for ten seconds. */
export function showUndo({ message, undo, undone, failed }: Undoable): void {
  const takeBack = async () => {
    notifications.hide(shown)
    try {
      await undo?.()
      notifications.show({ message: undone, color: 'teal' })
    } catch (error) {
      showFailure(error, failed)
    }
  }
  const shown = notifications.show({
    autoClose: 10_000,
    color: 'gray',
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" className="clip" component="div">
          {message}
        </Text>
        {undo && (
          <Button size="compact-xs" variant="light" onClick={takeBack} style={{ flex: 'none' }}>
            Undo
          </Button>
        )}
      </Group>
    ),
  })
}
