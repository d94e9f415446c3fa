import { Button } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { type Removal, titleOf, useRemove } from '../data/use-remove.tsx'
import { IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { ConfirmLosses } from './confirm-losses.tsx'
import { showFailure } from './failure.tsx'
import { RestoreButton } from './restore-button.tsx'

interface RemoveButtonProps {
  readonly label?: string
  readonly removal: Removal
  readonly back: string
  /** True: the object can be restored instead. */
  readonly is_deleted?: boolean
  /** Returns what would be lost, in sentences. Deletes at once if that is nothing. */
  readonly losses?: () => Promise<readonly string[]>
}

/** Deletes the object of the page, then leaves the page. The undo remains available. */
export function RemoveButton({ label = t('Delete'), removal, back, is_deleted, losses }: RemoveButtonProps) {
  const remove = useRemove()
  const [, go] = useLocation()
  const [lost, setLost] = useState<readonly string[]>()
  const [is_busy, setBusy] = useState(false)
  const finish = async () => {
    if (await remove(removal)) go(back)
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
  if (is_deleted) return <RestoreButton removal={removal} />
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={14} />}
        loading={is_busy}
        onClick={() => void ask()}
      >
        {label}
      </Button>
      {lost && (
        <ConfirmLosses
          name={removal.name}
          lost={lost}
          onConfirm={finish}
          onClose={() => setLost(undefined)}
        />
      )}
    </>
  )
}
