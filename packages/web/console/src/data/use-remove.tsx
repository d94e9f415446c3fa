import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { showFailure } from '../parts/failure.tsx'
import { useRefresh } from './use-refresh.ts'

export interface Removal {
  /** What is gone, as the notice says it: `Front door`. */
  readonly name: string
  readonly plurals: readonly string[]
  remove(): Promise<unknown>
  /** Left out where the API cannot bring it back; ask for a confirmation first there. */
  restore?(): Promise<unknown>
}

/** Deletes at once and offers to undo it for ten seconds. */
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
