import type { Client } from '@gatehouse-access/sdk'
import { doorWords, stops } from '../access/losses.ts'
import { countText } from '../data/use-count.ts'
import { t } from '../language/t.ts'
import type { Member } from './member.ts'

/** Says what no longer opens without a member. Nothing is lost if no rule gives it access, now or later. */
export async function memberLossesOf(client: Client, member: Member): Promise<readonly string[]> {
  const { data, has_next } = await client.members.access(member.id, { ever: true, limit: 100 })
  if (data.length === 0) return []
  const { size: count } = new Set(data.map(({ gadget_id }) => gadget_id))
  return [
    t(`This member can no longer open ${countText({ count, is_more: has_next }, doorWords)}.`),
    ...stops(member.pins.length, [t('PIN'), t('PINs')]),
    ...stops(member.cards.length, [t('card'), t('cards')]),
    ...stops(member.magic_links.length, [t('link'), t('links')]),
    ...stops(member.tokens.length, [t('token'), t('tokens')]),
  ]
}
