import { useEffect, useState } from 'react'

/**
 * Gives the focus back to where it was before a dialog, when the dialog is taken away. Mantine does so only for
 * dialogs that stay and are hidden.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const is_lost = document.activeElement === null || document.activeElement === document.body
      if (is_lost && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true })
    },
    [before],
  )
}
