import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { showFailure } from '../parts/failure.tsx'
import { useRefresh } from './use-refresh.ts'

export interface Removal {
  /** The name of the deleted object, as the notice shows it: `Front door`. */
  readonly name: string
  readonly plurals: readonly string[]
  remove(): Promise<unknown>
  /** Omitted if the API cannot restore the object. Ask for confirmation first in that case. */
  restore?(): Promise<unknown>
}

/** Deletes the object immediately and offers an undo for ten seconds. */
export function useRemove(): (removal: Removal) => Promise<boolean> {
  const refresh = useRefresh()
  return async removal => {
    try {
      await removal.remove()
    } catch (error) {
      showFailure(error, `${removal.name} could not be deleted`)
      return false
    }
    refresh(...removal.plurals)
    tell(removal, () => refresh(...removal.plurals))
    return true
  }
}

function tell({ name, restore }: Removal, refresh: () => void): void {
  const undo = async () => {
    notifications.hide(id)
    try {
      await restore?.()
      refresh()
      notifications.show({ message: `${name} restored`, color: 'teal' })
    } catch (error) {
      showFailure(error, `${name} could not be restored`)
    }
  }
  const id = notifications.show({
    autoClose: 10_000,
    color: 'gray',
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" className="clip">
          <bdi>{name}</bdi> deleted
        </Text>
        {restore && (
          <Button size="compact-xs" variant="light" onClick={undo}>
            Undo
          </Button>
        )}
      </Group>
    ),
  })
}
