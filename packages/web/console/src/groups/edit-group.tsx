import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { PickTags } from '../form/pick-tags.tsx'
import { useApi } from '../session/use-api.ts'
import type { Group } from './rule.ts'

export function EditGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft({ name: group.name, tag_ids: group.tag_ids }, async ({ name, tag_ids }) => {
    await client.member_groups.edit(group.id, { name, tag_ids })
    refresh('member_groups')
    onClose()
  })
  return (
    <FormModal title="Edit group" opened onClose={onClose} draft={draft} action="Save">
      <DeclaredField kind="member_group" name="name" label="Name" draft={draft} autoFocus />
      <PickTags
        kind="member_group"
        value={draft.values.tag_ids}
        onChange={ids => draft.set('tag_ids', ids)}
      />
    </FormModal>
  )
}
