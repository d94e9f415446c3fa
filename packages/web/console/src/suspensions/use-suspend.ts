import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { showUndo } from '../parts/undo-notice.tsx'
import type { Suspendable, Suspension, SuspensionChange } from './suspension.ts'

/** Suspends, and lifts. Both can be undone. Errors of a form are for the form. */
export function useSuspend(of: Suspendable) {
  const refresh = useRefresh()
  const { is_suspended, suspended_until, suspended_reason } = of
  const before: SuspensionChange = is_suspended
    ? { is_suspended, suspended_until, suspended_reason }
    : { is_suspended: false }
  const set = async (change: SuspensionChange) => {
    await of.edit(change)
    refresh(...of.plurals)
  }
  const offerUndo = (message: string) =>
    showUndo({ message, undo: () => set(before), undone: 'Undone', failed: 'Could not undo' })
  return {
    async suspend(change: Suspension): Promise<void> {
      await set(change)
      offerUndo(t(`${of.name} is suspended`))
    },
    async lift(): Promise<void> {
      try {
        await set({ is_suspended: false })
      } catch (error) {
        showFailure(error, t('Could not lift the suspension'))
        return
      }
      offerUndo(t(`${of.name} is no longer suspended`))
    },
  }
}
