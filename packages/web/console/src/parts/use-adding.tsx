import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { useApi } from '../session/use-api.ts'

export interface Adding {
  /** On the button above the list. */
  readonly label: string
  /** On the button within the list while it is empty. */
  readonly first?: string | undefined
  readonly dialog: (close: () => void) => ReactNode
}

/** The ways to add one more, hidden from viewers; `?new` opens the dialog at once. */
export function useAdding({ label, first, dialog }: Adding) {
  const { may_write } = useApi()
  const [is_open, { open, close }] = useDisclosure(useSearchParams()[0].has('new'))
  return {
    button: may_write && (
      <Button leftSection={<IconPlus size={14} />} onClick={open}>
        {label}
      </Button>
    ),
    first_button: may_write && first && <Button onClick={open}>{first}</Button>,
    dialog: is_open && dialog(close),
  }
}
