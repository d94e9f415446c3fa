import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { useApi } from '../session/use-api.ts'
import { type Card, holderOf, titleOf } from './card.ts'
import { useLoss } from './use-loss.ts'

/** Reports a card lost, or says that it was found. */
export function LostButton({ card }: { card: Card }) {
  const { organization, sees_all } = useApi()
  const [, go] = useLocation()
  const refresh = useRefresh()
  const holder = holderOf(card)
  const last = card.is_lost ? card.last_member_card : holder
  const report = useLoss({ id: card.id, title: titleOf(card), holder, last })
  const press = async () => {
    if (!(await report(!card.is_lost))) return
    // At some sites, one sees only the cards that their members have or lost. One that is found is nobody's.
    if (organization.site_ids && card.is_lost && last) go(`/members/${last.member_id}`)
    else refresh('cards')
  }
  if (!sees_all && !last) return null
  return (
    <Button variant="default" onClick={() => void press()}>
      {card.is_lost ? 'Report found' : 'Report lost'}
    </Button>
  )
}
