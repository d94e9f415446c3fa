import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { PickTags } from '../form/pick-tags.tsx'
import type { Door } from '../overview/door.ts'
import { useApi } from '../session/use-api.ts'
import { PartsInput } from './parts-input.tsx'
import './gadgets.css'

export function EditGadget({ gadget, onClose }: { gadget: Door; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const { name, tag_ids, actions, states, signals } = gadget
  const draft = useDraft({ name, tag_ids, actions, states, signals }, async values => {
    await client.gadgets.edit(gadget.id, values)
    refresh('gadgets')
    onClose()
  })
  return (
    <FormModal title="Edit door" opened onClose={onClose} draft={draft} action="Save">
      <DeclaredField kind="gadget" name="name" label="Name" draft={draft} autoFocus />
      <PartsInput kind="actions" draft={draft} />
      <PartsInput kind="states" draft={draft} />
      <PartsInput kind="signals" draft={draft} />
      <PickTags kind="gadget" value={draft.values.tag_ids} onChange={ids => draft.set('tag_ids', ids)} />
    </FormModal>
  )
}
