import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { dropNotice, showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'
import type { MemberCard } from './card.ts'

type Assignment = Pick<MemberCard, 'id' | 'member_id'>

export interface Losable {
  /** Of the card. */
  readonly id: string
  readonly title: string
  /** Who has it. An undo gives it back. */
  readonly holder: Assignment | undefined
  /** Who has it, else who had it last. */
  readonly last: Assignment | undefined
}

/** Returns a function that reports the card lost, or found, and whether that was done. */
export function useLoss({ id, title, holder, last }: Losable): (is_lost: boolean) => Promise<boolean> {
  const { client, sees_all } = useApi()
  const refresh = useRefresh()
  // Front desks change cards only through their members.
  const set = async (is_lost: boolean): Promise<unknown> =>
    sees_all || !last
      ? client.cards.edit(id, { is_lost })
      : client.member_cards.lost(last.member_id, last.id, { is_lost })
  const giveBack = async () => {
    await set(false)
    if (holder) await client.member_cards.edit(holder.member_id, holder.id, { is_deleted: false })
    refresh('cards', 'members')
  }
  return async is_lost => {
    try {
      await set(is_lost)
    } catch (error) {
      showFailure(error, t(`${title} was not changed`))
      return false
    }
    refresh('members')
    if (is_lost)
      showUndo({
        of: id,
        message: `${title} is lost, and opens nothing any more`,
        undo: giveBack,
        undone: `${title} is not lost`,
        failed: `${title} could not be given back`,
      })
    else dropNotice(id)
    return true
  }
}
