import type { SiteZone } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import type { ReactNode } from 'react'
import {
  IconAt,
  IconCreditCard,
  IconEye,
  IconGridDots,
  IconKey,
  IconLink,
  IconQrcode,
} from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { inZone, momentAt } from '../parts/door-time.ts'
import { formatAgo } from '../parts/time.tsx'
import type { Suspendable, Suspension } from '../suspensions/suspension.ts'
import type { Member } from './member.ts'
import type { Secret } from './secret.tsx'

/** A credential as it is listed. */
export interface Line {
  readonly id: string
  readonly icon: ReactNode
  readonly name: string
  readonly more: string
  /** Omitted if the secret cannot be revealed again. */
  readonly reveal?: { readonly label: string; readonly icon: ReactNode; ask(): Promise<Secret> }
  /** Of a card: it can be lost, and has a page. */
  readonly card?: Pick<Member['cards'][number], 'id' | 'member_id' | 'card_id'>
  readonly suspension: Suspension
  /** Omitted if the role cannot suspend it. */
  readonly edit?: Suspendable['edit']
  remove(): Promise<unknown>
  /** Omitted if it cannot be restored. The user confirms the deletion first in that case. */
  restore?(): Promise<unknown>
}

type Held = Pick<Member, 'id' | 'magic_links' | 'emails' | 'pins' | 'cards' | 'tokens'>

/** By whom, and by which clock. */
export interface Seen {
  readonly sees_all: boolean
  readonly zone: SiteZone | undefined
}

export function linesOf(client: Client, member: Held, { sees_all, zone }: Seen): Line[] {
  const { id: member_id } = member
  return [
    ...member.magic_links.map(
      ({ id, ...link }): Line => ({
        id,
        icon: <IconLink size={17} aria-hidden />,
        name: t('Link'),
        more: usedWords(link, zone),
        reveal: {
          label: 'Show link and QR code',
          icon: <IconQrcode size={16} />,
          ask: async () => ({
            kind: 'link',
            value: (await client.member_magic_links.reveal(member_id, id)).link,
          }),
        },
        suspension: link,
        edit: change => client.member_magic_links.edit(member_id, id, change),
        remove: () => client.member_magic_links.delete(member_id, id),
      }),
    ),
    ...member.emails.map(
      ({ id, email, ...rest }): Line => ({
        id,
        icon: <IconAt size={17} aria-hidden />,
        name: email,
        more: usedWords(rest, zone),
        suspension: rest,
        edit: change => client.member_emails.edit(member_id, id, change),
        remove: () => client.member_emails.delete(member_id, id),
        restore: () => client.member_emails.edit(member_id, id, { is_deleted: false }),
      }),
    ),
    ...member.pins.map(
      ({ id, length, ...pin }): Line => ({
        id,
        icon: <IconGridDots size={17} aria-hidden />,
        name: t(`${length}-digit PIN`),
        more: usedWords(pin, zone),
        reveal: {
          label: 'Reveal PIN',
          icon: <IconEye size={16} />,
          ask: async () => ({ kind: 'pin', value: (await client.member_pins.reveal(member_id, id)).pin }),
        },
        suspension: pin,
        edit: change => client.member_pins.edit(member_id, id, change),
        remove: () => client.member_pins.delete(member_id, id),
        restore: () => client.member_pins.edit(member_id, id, { is_deleted: false }),
      }),
    ),
    ...member.cards.map(
      ({ id, card_id, name, uid, printed_code, ...card }): Line => ({
        id,
        icon: <IconCreditCard size={17} aria-hidden />,
        name: name || printed_code || uid || t('Card'),
        more: [name && printed_code, (name || printed_code) && uid && `UID ${uid}`, usedWords(card, zone)]
          .filter(Boolean)
          .join(' · '),
        card: { id, member_id, card_id },
        suspension: card,
        edit: change => client.member_cards.edit(member_id, id, change),
        remove: () => client.member_cards.delete(member_id, id),
        restore: () => client.member_cards.edit(member_id, id, { is_deleted: false }),
      }),
    ),
    ...member.tokens.map(
      ({ id, ...token }): Line => ({
        id,
        icon: <IconKey size={17} aria-hidden />,
        name: t('Mobile SDK token'),
        more: usedWords(token, zone),
        suspension: token,
        ...(sees_all && { edit: change => client.member_tokens.edit(member_id, id, change) }),
        remove: () => client.member_tokens.delete(member_id, id),
      }),
    ),
  ]
}

interface Used {
  readonly created_at: string
  readonly last_used_at?: string | null
}

function usedWords({ created_at, last_used_at }: Used, zone: SiteZone | undefined): string {
  return last_used_at
    ? t(`Last used ${formatAgo(last_used_at)}`)
    : t(`Never used, created ${inZone(momentAt(created_at, zone), zone)}`)
}
