import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'
import { type Card, holderOf, lastHolderOf, titleOf } from './card.ts'

/** Reports a card lost, or says that it was found. */
export function LostButton({ card }: { card: Card }) {
  const { client, organization, sees_all } = useApi()
  const [, go] = useLocation()
  const refresh = useRefresh()
  const title = titleOf(card)
  const holder = holderOf(card)
  const last = lastHolderOf(card)
  // Front desks change cards only through their members.
  const report = async (is_lost: boolean) =>
    sees_all || !last
      ? client.cards.edit(card.id, { is_lost })
      : client.member_cards.lost(last.member_id, last.id, { is_lost })
  const change = async (is_lost: boolean) => {
    await report(is_lost)
    refresh('members')
    // At some sites, one sees only the cards that their members have. Asking for this one again would find nothing.
    if (organization.site_ids && last) go(`/members/${last.member_id}`)
    else refresh('cards')
  }
  const giveBack = async () => {
    await report(false)
    if (holder) await client.member_cards.edit(holder.member_id, holder.id, { is_deleted: false })
    refresh('cards', 'members')
  }
  const lose = async () => {
    await change(true)
    showUndo({
      message: `${title} is lost, and opens nothing any more`,
      undo: giveBack,
      undone: `${title} is not lost`,
      failed: `${title} could not be given back`,
    })
  }
  if (!sees_all && !last) return null
  const press = () =>
    (card.is_lost ? change(false) : lose()).catch(error => showFailure(error, t(`${title} was not changed`)))
  return (
    <Button variant="default" onClick={() => void press()}>
      {card.is_lost ? 'Found' : 'Lost'}
    </Button>
  )
}
