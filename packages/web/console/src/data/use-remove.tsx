import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { quoted } from '../parts/quoted.ts'
import { showUndo } from '../parts/undo-notice.tsx'
import { useRefresh } from './use-refresh.ts'

export interface Removal {
  /** Of the deleted object. Omitted if it has none. */
  readonly id?: string | undefined
  /** The name of the deleted object: `Front door`. */
  readonly name: string
  /** True: `name` is a phrase, such as `Membership in Staff`, and not what somebody has called it. */
  readonly is_phrase?: boolean
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
      showFailure(error, t(`${titleOf(removal)} could not be deleted`))
      return false
    }
    refresh(...removal.plurals)
    tell(removal, () => refresh(...removal.plurals))
    return true
  }
}

/** In quotation marks, since a name may read like a sentence: “Doors” deleted. */
export function titleOf({ name, is_phrase }: Pick<Removal, 'name' | 'is_phrase'>): string {
  return is_phrase ? name : quoted(name)
}

function tell(removal: Removal, refresh: () => void): void {
  const { restore } = removal
  const name = titleOf(removal)
  const undo = async () => {
    await restore?.()
    refresh()
  }
  showUndo({
    of: removal.id,
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
