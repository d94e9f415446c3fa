import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { type Removal, useRemove } from '../data/use-remove.tsx'
import { IconTrash } from '../icons/icons.ts'

/** Deletes the object of the page, then leaves the page. The undo remains available. */
export function RemoveButton({ removal, back }: { removal: Removal; back: string }) {
  const remove = useRemove()
  const [, go] = useLocation()
  return (
    <Button
      variant="subtle"
      color="red"
      leftSection={<IconTrash size={14} />}
      onClick={async () => {
        if (await remove(removal)) go(back)
      }}
    >
      Delete
    </Button>
  )
}
