import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { useRemove } from '../data/use-remove.tsx'
import type { Zoned } from '../form/moment-input.tsx'
import {
  IconAt,
  IconCreditCard,
  IconGridDots,
  IconKey,
  IconLink,
  IconPlus,
  IconRefresh,
  IconTrash,
} from '../icons/icons.ts'
import { DeletedLines } from '../parts/deleted-lines.tsx'
import { Empty } from '../parts/empty.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { SuspendIcon, suspensionWords } from '../suspensions/suspended.tsx'
import { isSuspended, type Suspendable } from '../suspensions/suspension.ts'
import { LineName, LostIcon } from './card-line.tsx'
import { ConfirmDelete } from './confirm-delete.tsx'
import { type Line, linesOf } from './credential-lines.tsx'
import { loadDeleted } from './deleted-credentials.ts'
import type { Member } from './member.ts'
import { NewCredential, type NewKind } from './new-credential.tsx'
import { ReplaceCard } from './replace-card.tsx'
import { SecretModal } from './secret.tsx'
import { useDatesZone } from './use-dates-zone.ts'

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
