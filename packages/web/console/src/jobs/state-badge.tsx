import { Badge } from '@mantine/core'
import type { Job } from './job.ts'
import { stateWords } from './job-words.ts'

export function StateBadge({ state }: Pick<Job, 'state'>) {
  const { label, color } = stateWords[state]
  return (
    <Badge variant="light" color={color}>
      {label}
    </Badge>
  )
}
