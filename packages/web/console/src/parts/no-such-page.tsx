import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from 'wouter'
import { Empty } from './empty.tsx'

/** For addresses that no screen knows, and those below a screen that it does not know. */
export function NoSuchPage() {
  return (
    <Empty
      icon={<IconMapQuestion />}
      title="Page not found"
      is_page
      action={
        <Button component={Link} href="/">
          Go to overview
        </Button>
      }
    >
      Check the address, search for what you need, or start from the overview.
    </Empty>
  )
}
