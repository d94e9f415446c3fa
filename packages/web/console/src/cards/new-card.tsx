import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { useApi } from '../session/use-api.ts'
import { HoldCard } from './hold-card.tsx'

interface Values {
  readonly name: string | null
  readonly uid: string | null
  readonly printed_code: string | null
  readonly member_id: string | null
}

/** Adds a card to the organization, and assigns it immediately if a member is chosen. */
export function NewCard({ onClose }: { onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const nothing: Values = { name: null, uid: null, printed_code: null, member_id: null }
  const draft = useDraft(nothing, async ({ name, uid, printed_code, member_id }) => {
    const { id } = await client.cards.create({
      ...(name && { name }),
      ...(uid && { uid }),
      ...(printed_code && { printed_code }),
    })
    refresh('cards')
    go(`/cards/${id}`, { replace: true })
    if (member_id) await client.member_cards.create(member_id, { card_id: id })
    refresh('cards', 'members')
  })
  return (
    <FormModal title="New card" opened onClose={onClose} draft={draft} action="Add card">
      <DeclaredField kind="card" name="name" label="Name" draft={draft} description="" autoFocus />
      <HoldCard onRead={uid => draft.set('uid', uid)} />
      <DeclaredField
        kind="card"
        name="uid"
        label="UID"
        draft={draft}
        description="As shown by a reader: 8, 14 or 20 hexadecimal digits"
        placeholder="04A1B2C3D4E5F6"
      />
      <DeclaredField
        kind="card"
        name="printed_code"
        label="Printed code"
        draft={draft}
        description="Enter the UID, the printed code, or both"
        placeholder="GH-000123"
      />
      <Pick
        plural="members"
        label="Assign to"
        placeholder="No one yet"
        value={draft.values.member_id}
        onChange={id => draft.set('member_id', id)}
      />
    </FormModal>
  )
}
