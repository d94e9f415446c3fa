import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { showUndo } from '../parts/undo-notice.tsx'
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
      showFailure(error, t(`${removal.name} could not be deleted`))
      return false
    }
    refresh(...removal.plurals)
    tell(removal, () => refresh(...removal.plurals))
    return true
  }
}

function tell({ name, restore }: Removal, refresh: () => void): void {
  const undo = async () => {
    await restore?.()
    refresh()
  }
  showUndo({
    message: (
      <>
        <bdi>{name}</bdi> deleted
      </>
    ),
    undo: restore && undo,
    undone: `${name} restored`,
    failed: `${name} could not be restored`,
  })
}
