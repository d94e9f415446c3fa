import { type ReactNode, useState } from 'react'
import { type Removal, titleOf, useRemove } from '../data/use-remove.tsx'
import { t } from '../language/t.ts'
import { ConfirmLosses } from './confirm-losses.tsx'
import { showFailure } from './failure.tsx'

export interface Asking {
  readonly removal: Removal
  /** Returns what would be lost, in sentences. Deletes at once if that is nothing. */
  readonly losses?: (() => Promise<readonly string[]>) | undefined
  readonly onRemoved?: () => void
}

interface Asked {
  /** Deletes, or asks first. */
  ask(): void
  readonly is_busy: boolean
  /** The question, while it is asked. */
  readonly dialog: ReactNode
}

/** Deletes what nobody needs at once, and says before who loses what otherwise. The undo remains available. */
export function useAskRemove({ removal, losses, onRemoved }: Asking): Asked {
  const remove = useRemove()
  const [lost, setLost] = useState<readonly string[]>()
  const [is_busy, setBusy] = useState(false)
  const finish = async () => {
    if (await remove(removal)) onRemoved?.()
  }
  const ask = async () => {
    setBusy(true)
    try {
      const found = (await losses?.()) ?? []
      if (found.length > 0) setLost(found)
      else await finish()
    } catch (error) {
      showFailure(error, t(`${titleOf(removal)} could not be deleted`))
    }
    setBusy(false)
  }
  return {
    ask: () => void ask(),
    is_busy,
    dialog: lost && (
      <ConfirmLosses name={removal.name} lost={lost} onConfirm={finish} onClose={() => setLost(undefined)} />
    ),
  }
}
