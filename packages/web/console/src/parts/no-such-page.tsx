import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from 'wouter'
import { Empty } from './empty.tsx'

/** For addresses that no screen knows, and those below a screen that it does not know. */
export function NoSuchPage() {
  return (
    <Empty
      icon={<IconMapQuestion />}
      title="There is no such page"
      is_page
      action={
        <Button component={Link} href="/">
          Go to the overview
        </Button>
      }
    >
      The address may be mistyped. Search for what you look for, or begin at the overview.
    </Empty>
  )
}
