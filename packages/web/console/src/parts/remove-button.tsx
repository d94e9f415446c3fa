import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { RestoreButton } from './restore-button.tsx'
import { type Asking, useAskRemove } from './use-ask-remove.tsx'

interface RemoveButtonProps extends Pick<Asking, 'removal' | 'losses'> {
  readonly label?: string
  readonly back: string
  /** True: the object can be restored instead. */
  readonly is_deleted?: boolean
}

/** Deletes the object of the page, then leaves the page. The undo remains available. */
export function RemoveButton({ label = t('Delete'), removal, back, is_deleted, losses }: RemoveButtonProps) {
  const [, go] = useLocation()
  const { ask, is_busy, dialog } = useAskRemove({ removal, losses, onRemoved: () => go(back) })
  if (is_deleted) return <RestoreButton removal={removal} />
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={14} />}
        loading={is_busy}
        onClick={ask}
      >
        {label}
      </Button>
      {dialog}
    </>
  )
}
