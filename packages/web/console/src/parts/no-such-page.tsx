import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { IconMapQuestion } from '../icons/icons.ts'
import { Empty } from './empty.tsx'

/** Shown for addresses that match no screen, or no page within a screen. */
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
