import { Badge } from '@mantine/core'
import { t } from '../../language/t.ts'
import type { Delivery } from '../applications/account-objects.ts'

const tones = { pending: 'blue', succeeded: 'teal', failed: 'red', canceled: 'gray' } as const
const words = {
  pending: t('Pending'),
  succeeded: t('Delivered'),
  failed: 'Failed',
  canceled: t('Canceled'),
} as const

export function DeliveryState({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>) {
  if (status === 'pending' && attempts.length > 0) return <Badge color="yellow">Retrying</Badge>
  return <Badge color={tones[status]}>{words[status]}</Badge>
}
