import { Badge } from '@mantine/core'
import type { Delivery } from './account-objects.ts'

const tones = { pending: 'blue', succeeded: 'teal', failed: 'red', canceled: 'gray' } as const
const words = {
  pending: 'On its way',
  succeeded: 'Received',
  failed: 'Failed',
  canceled: 'Canceled',
} as const

export function DeliveryState({ status }: Pick<Delivery, 'status'>) {
  return <Badge color={tones[status]}>{words[status]}</Badge>
}
