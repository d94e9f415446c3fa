import { Badge } from '@mantine/core'
import { t } from '../language/t.ts'
import { type Standing, standingOf } from './validity.ts'

const looks: Record<Standing, readonly [string, string]> = {
  active: [t('Active'), 'teal'],
  upcoming: [t('Upcoming'), 'blue'],
  ended: [t('Access ended'), 'gray'],
  suspended: [t('Suspended'), 'orange'],
  deleted: [t('Deleted'), 'red'],
}

export function StandingBadge({ member }: { member: Parameters<typeof standingOf>[0] }) {
  const [name, color] = looks[standingOf(member)]
  return <Badge color={color}>{name}</Badge>
}
