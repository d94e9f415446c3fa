import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { IconPlus } from '../icons/icons.ts'
import { useApi } from '../session/use-api.ts'

export interface Adding {
  /** The label of the button above the list. */
  readonly label: string
  /** The label of the button within the empty list. */
  readonly first?: string | undefined
  readonly dialog: (close: () => void) => ReactNode
}

/**
 * Returns the buttons and the dialog that add an object, hidden from viewers. The address holds whether the
 * dialog is open, as `?new`; the new object's page replaces that entry.
 */
export function useAdding({ label, first, dialog }: Adding) {
  const { may_write } = useApi()
  const [params, setParams] = useSearchParams()
  const open = () => setParams(held => new URLSearchParams([...held, ['new', '']]))
  const close = () =>
    setParams(held => new URLSearchParams([...held].filter(([name]) => name !== 'new')), { replace: true })
  return {
    button: may_write && (
      <Button leftSection={<IconPlus size={14} />} onClick={open}>
        {label}
      </Button>
    ),
    first_button: may_write && first && <Button onClick={open}>{first}</Button>,
    dialog: may_write && params.has('new') && dialog(close),
  }
}
