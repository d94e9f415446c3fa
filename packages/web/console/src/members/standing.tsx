import { Badge } from '@mantine/core'
import { type Standing, standingOf } from './validity.ts'

const looks: Record<Standing, readonly [string, string]> = {
  active: ['Active', 'teal'],
  upcoming: ['Upcoming', 'blue'],
  ended: ['Ended', 'gray'],
  suspended: ['Suspended', 'orange'],
  deleted: ['Deleted', 'red'],
}

export function StandingBadge({ member }: { member: Parameters<typeof standingOf>[0] }) {
  const [name, color] = looks[standingOf(member)]
  return <Badge color={color}>{name}</Badge>
}
