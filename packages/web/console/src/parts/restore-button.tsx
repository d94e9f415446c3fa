import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import type { Removal } from '../data/use-remove.tsx'
import { IconRestore } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from './failure.tsx'

/** Brings back the deleted object of the page. */
export function RestoreButton({ removal }: { removal: Pick<Removal, 'name' | 'plurals' | 'restore'> }) {
  const refresh = useRefresh()
  const [is_busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      await removal.restore?.()
      refresh(...removal.plurals)
    } catch (error) {
      showFailure(error, t(`${removal.name} could not be restored`))
    }
    setBusy(false)
  }
  return (
    <Button leftSection={<IconRestore size={14} />} loading={is_busy} onClick={() => void restore()}>
      Restore
    </Button>
  )
}
