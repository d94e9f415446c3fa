import { Button } from '@mantine/core'
import { IconBuilding } from '../icons/icons.ts'
import { Empty } from '../parts/empty.tsx'

export function NotYours() {
  return (
    <main className="blank">
      <Empty
        icon={<IconBuilding />}
        title="You do not have access to this organization"
        is_page
        action={
          <Button component="a" href="/">
            Go to your organizations
          </Button>
        }
      >
        It does not exist, was deleted, or you were removed from it. Ask one of its owners for an invitation.
      </Empty>
    </main>
  )
}
