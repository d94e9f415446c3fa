import type { SiteZone } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useLoss } from '../cards/use-loss.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useRemove } from '../data/use-remove.tsx'
import type { Zoned } from '../form/moment-input.tsx'
import {
  IconAt,
  IconCreditCard,
  IconCreditCardOff,
  IconEye,
  IconGridDots,
  IconKey,
  IconLink,
  IconPlus,
  IconQrcode,
  IconRefresh,
  IconTrash,
} from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { type DeletedLine, DeletedLines } from '../parts/deleted-lines.tsx'
import { inZone, momentAt } from '../parts/door-time.ts'
import { Empty } from '../parts/empty.tsx'
import { Name, NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { formatAgo } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { SuspendIcon, suspensionWords } from '../suspensions/suspended.tsx'
import { isSuspended, type Suspendable, type Suspension } from '../suspensions/suspension.ts'
import { ConfirmDelete } from './confirm-delete.tsx'
import type { Member } from './member.ts'
import { NewCredential, type NewKind } from './new-credential.tsx'
import { ReplaceCard } from './replace-card.tsx'
import { type Secret, SecretModal } from './secret.tsx'
import { useDatesZone } from './use-dates-zone.ts'

interface Line {
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

/** Lists all credentials of the member. Each of them opens the same doors. */
export function Credentials({ member }: { member: Member }) {
  const { client, may_write, sees_all } = useApi()
  const zoned = useDatesZone({ member_id: member.id })
  const seen = { sees_all, zone: zoned.zone }
  const lines = linesOf(client, member, seen)
  const [making, setMaking] = useState<NewKind>()
  const [revealing, setRevealing] = useState<Line>()
  const [replacing, setReplacing] = useState<Line>()
  const [deleting, setDeleting] = useState<Line>()
  const removeLine = useRemoveLine()
  const can_add = may_write && !member.is_deleted
  return (
    <Section title="Credentials" flush actions={can_add && <AddMenu onChoose={setMaking} />}>
      {lines.length === 0 && (
        <Empty icon={<IconKey />} title="No credentials yet">
          Add a link, an email, a PIN or a card. Without one, the member cannot open anything.
        </Empty>
      )}
      <ul className="credentials">
        {lines.map(line => (
          <li key={line.id} className="credential">
            {line.icon}
            <span className="credential-text">
              <LineName line={line} />
              <span className="credential-more">
                {isSuspended(line.suspension) ? suspensionWords(line.suspension, zoned.zone) : line.more}
              </span>
            </span>
            {may_write && line.reveal && (
              <Tooltip label={line.reveal.label}>
                <ActionIcon
                  aria-label={`${line.reveal.label}: ${line.name}`}
                  onClick={() => setRevealing(line)}
                >
                  {line.reveal.icon}
                </ActionIcon>
              </Tooltip>
            )}
            {can_add && line.card && (
              <Tooltip label="Lost: replace it">
                <ActionIcon aria-label={`Replace ${line.name}`} onClick={() => setReplacing(line)}>
                  <IconRefresh size={16} />
                </ActionIcon>
              </Tooltip>
            )}
            {can_add && line.card && <LostIcon card={line.card} name={line.name} />}
            {can_add && line.edit && <SuspendIcon of={suspendableOf(line, line.edit, zoned)} />}
            {may_write && (
              <ActionIcon
                aria-label={`Delete ${line.name}`}
                onClick={() => (line.restore ? void removeLine(line) : setDeleting(line))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {can_add && (
        <DeletedLines
          label="Deleted credentials"
          of={member.id}
          plurals={['members']}
          load={(_, signal) => loadDeleted(client, member, seen, signal)}
        />
      )}
      {making && <NewCredential kind={making} member_id={member.id} onClose={() => setMaking(undefined)} />}
      {replacing && (
        <ReplaceCard member_id={member.id} card={replacing} onClose={() => setReplacing(undefined)} />
      )}
      {revealing?.reveal && (
        <SecretModal
          title={revealing.name}
          reveal={revealing.reveal.ask}
          onClose={() => setRevealing(undefined)}
        />
      )}
      {deleting && (
        <ConfirmDelete
          name={deleting.name}
          onClose={() => setDeleting(undefined)}
          onConfirm={() => void removeLine(deleting)}
        />
      )}
    </Section>
  )
}

function LineName({ line: { name, card } }: { line: Line }) {
  const { has_screen } = useApi()
  if (!card || !has_screen('/cards')) return <Name>{name}</Name>
  return <NameLink href={`/cards/${card.card_id}`}>{name}</NameLink>
}

/** Reports a card lost for which there is no other one yet. */
function LostIcon({ card, name }: { card: NonNullable<Line['card']>; name: string }) {
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

function suspendableOf({ name, suspension }: Line, edit: Suspendable['edit'], zoned: Zoned): Suspendable {
  return {
    ...suspension,
    name,
    zoned,
    about: 'it is refused at every door. The other credentials of the member stay as they are.',
    plurals: ['members'],
    edit,
  }
}

function useRemoveLine(): (line: Line) => Promise<boolean> {
  const remove = useRemove()
  const refresh = useRefresh()
  return async ({ id, name, remove: act, restore }) => {
    const done = await remove({
      id,
      name,
      is_phrase: true,
      plurals: ['members'],
      remove: act,
      ...(restore && { restore }),
    })
    refresh('members')
    return done
  }
}

function AddMenu({ onChoose }: { onChoose: (kind: NewKind) => void }) {
  const { sees_all } = useApi()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} />}>
          Add
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLink size={15} />} onClick={() => onChoose('magic_link')}>
          Link
        </Menu.Item>
        <Menu.Item leftSection={<IconAt size={15} />} onClick={() => onChoose('email')}>
          Email
        </Menu.Item>
        <Menu.Item leftSection={<IconGridDots size={15} />} onClick={() => onChoose('pin')}>
          PIN
        </Menu.Item>
        <Menu.Item leftSection={<IconCreditCard size={15} />} onClick={() => onChoose('card')}>
          Card
        </Menu.Item>
        {sees_all && (
          <Menu.Item leftSection={<IconKey size={15} />} onClick={() => onChoose('token')}>
            Token
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

type DeletedCard = Member['cards'][number] & {
  /** Missing if the role does not see it any more. */
  readonly card?: { readonly lost_at: string | null }
}

/** Of what is deleted, links and tokens are gone for good. A lost card is given to nobody until it is found. */
async function loadDeleted(client: Client, { id: member_id }: Member, seen: Seen, signal: AbortSignal) {
  const query = { is_deleted: true, limit: 100, signal } as const
  const [emails, pins, cards] = await Promise.all([
    Array.fromAsync(client.member_emails.all(member_id, query)),
    Array.fromAsync(client.member_pins.all(member_id, query)),
    Array.fromAsync(client.member_cards.all<DeletedCard>(member_id, { ...query, expand: ['card'] })),
  ])
  const lost = new Map(cards.map(({ id, card }) => [id, card?.lost_at]))
  const lines = linesOf(client, { id: member_id, emails, pins, cards, magic_links: [], tokens: [] }, seen)
  const data = lines.flatMap<DeletedLine>(({ id, name, more, card, restore }) => {
    const lost_at = lost.get(id)
    if (card && lost_at)
      return [{ id, name, more: lostWords(lost_at, seen.zone), href: `/cards/${card.card_id}` }]
    return restore ? [{ id, name, more, restore }] : []
  })
  return { data, has_next: false }
}

function lostWords(at: string, zone: SiteZone | undefined): string {
  return t(`Reported lost on ${inZone(momentAt(at, zone), zone)}`)
}

type Held = Pick<Member, 'id' | 'magic_links' | 'emails' | 'pins' | 'cards' | 'tokens'>

/** By whom, and by which clock. */
interface Seen {
  readonly sees_all: boolean
  readonly zone: SiteZone | undefined
}

function linesOf(client: Client, member: Held, { sees_all, zone }: Seen): Line[] {
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
