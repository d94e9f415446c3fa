import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { type Removal, titleOf } from '../data/use-remove.tsx'
import { IconRestore } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from './failure.tsx'
import { dropNotice } from './undo-notice.tsx'

interface RestoreButtonProps {
  readonly removal: Pick<Removal, 'id' | 'name' | 'is_phrase' | 'plurals' | 'restore'>
  /** Where a page has several: `Restore Front door`. */
  readonly label?: string
  /** True in a list of lines. */
  readonly small?: true
}

/** Brings back the deleted object of the page, or of a line of it. */
export function RestoreButton({ removal, label, small }: RestoreButtonProps) {
  const refresh = useRefresh()
  const [is_busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      await removal.restore?.()
      dropNotice(removal.id)
      refresh(...removal.plurals)
    } catch (error) {
      showFailure(error, t(`${titleOf(removal)} could not be restored`))
    }
    setBusy(false)
  }
  return (
    <Button
      {...(small && { size: 'compact-sm', variant: 'default' })}
      leftSection={<IconRestore size={14} />}
      loading={is_busy}
      aria-label={label}
      onClick={() => void restore()}
    >
      Restore
    </Button>
  )
}
