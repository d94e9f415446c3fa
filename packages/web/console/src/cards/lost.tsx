import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { useApi } from '../session/use-api.ts'
import { type Card, holderOf, lastHolderOf, titleOf } from './card.ts'
import { useLoss } from './use-loss.ts'

/** Reports a card lost, or says that it was found. */
export function LostButton({ card }: { card: Card }) {
  const { organization, sees_all } = useApi()
  const [, go] = useLocation()
  const refresh = useRefresh()
  const last = lastHolderOf(card)
  const report = useLoss({ id: card.id, title: titleOf(card), holder: holderOf(card), last })
  const press = async () => {
    if (!(await report(!card.is_lost))) return
    // At some sites, one sees only the cards that their members have. Asking for this one again would find nothing.
    if (organization.site_ids && last) go(`/members/${last.member_id}`)
    else refresh('cards')
  }
  if (!sees_all && !last) return null
  return (
    <Button variant="default" onClick={() => void press()}>
      {card.is_lost ? 'Report found' : 'Report lost'}
    </Button>
  )
}
