import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { IconPencil } from '../icons/icons.ts'
import type { Door } from '../overview/door.ts'
import { Facts, Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { doorFacts } from './door-words.ts'

const EditDoor = lazy(async () => ({ default: (await import('./edit-door.tsx')).EditDoor }))

/** What a gadget does as a door, in words. A gadget without actions, or that is deleted, cannot become one. */
export function DoorSection({ gadget }: { gadget: Door }) {
  const { may_write } = useApi()
  const [is_editing, editing] = useDisclosure(false)
  const can_edit = may_write && !gadget.is_deleted && gadget.actions.length > 0
  return (
    <Section
      title="Lock and exit"
      about="Exit devices and fire release are wired in hardware. These settings add to them and never replace them."
      actions={
        can_edit && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPencil size={14} />}
            onClick={editing.open}
          >
            {gadget.door ? 'Change' : 'Set up as a door'}
          </Button>
        )
      }
    >
      {gadget.door ? (
        <Facts facts={doorFacts(gadget).map(([label, text]) => [label, <bdi key={label}>{text}</bdi>])} />
      ) : (
        <p className="soft">Not set up as a door: only its actions are known, not what they mean.</p>
      )}
      <Suspense>{is_editing && <EditDoor gadget={gadget} onClose={editing.close} />}</Suspense>
    </Section>
  )
}
