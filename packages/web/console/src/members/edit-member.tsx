import { Select } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { PickTags } from '../form/pick-tags.tsx'
import { ValidityFields } from '../form/validity-fields.tsx'
import { useApi } from '../session/use-api.ts'
import { languageChoices } from './invite.tsx'
import type { Member } from './member.ts'
import { useDatesZone } from './use-dates-zone.ts'
import { afterTheEnd } from './validity.ts'

export function EditMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const zoned = useDatesZone({ member_id: member.id })
  const { name, starts_at, ends_at, tag_ids, language } = member
  const draft = useDraft({ name, starts_at, ends_at, tag_ids, language }, async values => {
    await client.members.edit(member.id, values)
    refresh('members')
    onClose()
  })
  return (
    <FormModal title="Edit member" opened onClose={onClose} draft={draft} action="Save">
      <DeclaredField
        kind="member"
        name="name"
        description="Label for administrators. The guest page never shows it."
        label="Name"
        draft={draft}
        autoFocus
      />
      <ValidityFields draft={draft} zoned={zoned} after={afterTheEnd} />
      <Select
        label="Language"
        description="For emails to the member"
        placeholder="Unknown"
        clearable
        value={draft.values.language}
        onChange={value => draft.set('language', value)}
        data={languageChoices(language)}
      />
      <PickTags kind="member" value={draft.values.tag_ids} onChange={ids => draft.set('tag_ids', ids)} />
    </FormModal>
  )
}
