import { ActionIcon, Tooltip } from '@mantine/core'
import { useLoss } from '../cards/use-loss.ts'
import { IconCreditCardOff } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Name, NameLink } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import type { Line } from './credential-lines.tsx'

/** The name of a credential. That of a card leads to its page. */
export function LineName({ line: { name, card } }: { line: Line }) {
  const { has_screen } = useApi()
  if (!card || !has_screen('/cards')) return <Name>{name}</Name>
  return <NameLink href={`/cards/${card.card_id}`}>{name}</NameLink>
}

/** Reports a card lost for which there is no other one yet. */
export function LostIcon({ card, name }: { card: NonNullable<Line['card']>; name: string }) {
  const report = useLoss({ id: card.card_id, title: name, holder: card, last: card })
  const label = t('Report lost')
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={`${label}: ${name}`} onClick={() => void report(true)}>
        <IconCreditCardOff size={16} />
      </ActionIcon>
    </Tooltip>
  )
}
