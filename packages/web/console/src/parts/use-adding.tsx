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
  /** False for a role that changes what is there, and adds nothing. */
  readonly may_add?: boolean
  readonly dialog: (close: () => void) => ReactNode
}

/**
 * Returns the buttons and the dialog that add an object, hidden from viewers. The address holds whether the
 * dialog is open, as `?new`; the new object's page replaces that entry.
 */
export function useAdding({ label, first, may_add = true, dialog }: Adding) {
  const { may_write } = useApi()
  const is_shown = may_write && may_add
  const [params, setParams] = useSearchParams()
  const open = () => setParams(held => new URLSearchParams([...held, ['new', '']]))
  const close = () =>
    setParams(held => new URLSearchParams([...held].filter(([name]) => name !== 'new')), { replace: true })
  return {
    button: is_shown && (
      <Button leftSection={<IconPlus size={14} />} onClick={open}>
        {label}
      </Button>
    ),
    first_button: is_shown && first && <Button onClick={open}>{first}</Button>,
    dialog: is_shown && params.has('new') && dialog(close),
  }
}
