import { Button, Group, Text } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { showFailure } from './failure.tsx'

interface Undoable {
  /** What it is about, as an ID. A newer notice of the same takes its place. */
  readonly of?: string | undefined
  readonly message: ReactNode
  /** Omitted if it cannot be undone. */
  readonly undo?: (() => unknown) | undefined
  /** Shown afterwards: `Front door restored`. */
  readonly undone: string
  readonly failed: string
}

/** The notice that stands of each thing. The one before it says what is no longer so, and its undo would go too far back. */
const standing = new Map<string, string>()

/** Says what was done, and offers an undo for ten seconds. */
export function showUndo({ of, message, undo, undone, failed }: Undoable): void {
  const takeBack = async () => {
    notifications.hide(shown)
    try {
      await undo?.()
      tell(of, { message: undone, color: 'teal' })
    } catch (error) {
      showFailure(error, failed)
    }
  }
  const shown = tell(of, {
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

/** Takes away what was said of something, because it is no longer so. */
export function dropNotice(of: string | undefined): void {
  const id = of && standing.get(of)
  if (id) notifications.hide(id)
}

function tell(of: string | undefined, notice: NotificationData): string {
  dropNotice(of)
  const id = notifications.show(notice)
  if (of) standing.set(of, id)
  return id
}
