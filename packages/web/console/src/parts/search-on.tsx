import { Button, Group, Text } from '@mantine/core'
import type { List } from '../data/use-list.ts'
import { OwnTime } from '../sites/own-time.tsx'

/** Below a list that was searched far for little. */
export function SearchOn({ list }: { list: List<unknown> }) {
  if (!list.searched_to) return null
  return (
    <Group justify="center" my="md">
      <Text size="sm">
        Searched as far as <OwnTime at={list.searched_to} />.
      </Text>
      <Button variant="default" size="xs" loading={list.is_loading_more === true} onClick={list.loadMore}>
        Search on
      </Button>
    </Group>
  )
}
