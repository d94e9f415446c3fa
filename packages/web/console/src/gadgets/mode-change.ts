import type { ModeBody } from '@gatehouse-access/api'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import type { Mode } from '../modes/mode.ts'
import type { Door } from '../overview/door.ts'
import { showFailure } from '../parts/failure.tsx'
import { showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'

/** Returns a function that sets the mode of a door, tells it, and offers an undo. */
export function useModeChange({ id, name, mode }: Door) {
  const { client } = useApi()
  const refresh = useRefresh()
  const send = async (change: ModeBody) => {
    await client.gadgets.mode(id, change)
    refresh('gadgets', 'modes')
  }
  return async (change: ModeBody, message: string) => {
    try {
      await send(change)
      showUndo({
        of: `mode-${id}`,
        message,
        undo: mode ? () => send(changeBackTo(mode)) : undefined,
        undone: `${name} is as before`,
        failed: 'Could not undo',
      })
      return true
    } catch (error) {
      showFailure(error, t(`Could not change the mode of ${name}`))
      return false
    }
  }
}

/** Returns the change that sets what held before. A length that nobody tells any more is told by its end. */
export function changeBackTo({ source, effective, until }: Mode): ModeBody {
  if (source !== 'override') return { mode: 'scheduled' }
  const mode = effective === 'unlocked' ? 'unlocked' : 'controlled'
  return until ? { mode, lasts: 'until', until } : { mode, lasts: 'indefinitely' }
}
