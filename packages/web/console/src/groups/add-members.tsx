import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { PickMany } from '../form/pick.tsx'
import { ValidityFields } from '../form/validity-fields.tsx'
import { t } from '../language/t.ts'
import { useDatesZone } from '../members/use-dates-zone.ts'
import { useApi } from '../session/use-api.ts'
import type { Group } from './rule.ts'

interface Values {
  readonly member_ids: readonly string[]
  readonly starts_at: string | null
  readonly ends_at: string | null
}

export function AddMembers({ group, onClose }: { group: Group; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const zoned = useDatesZone({ group_ids: [group.id] })
  const draft = useDraft<Values>(
    { member_ids: [], starts_at: null, ends_at: null },
    async ({ member_ids, starts_at, ends_at }) => {
      const dates = { ...(starts_at && { starts_at }), ...(ends_at && { ends_at }) }
      const left = [...member_ids]
      try {
        for (const id of member_ids) {
          await client.member_group_associations.create(id, { member_group_id: group.id, ...dates })
          left.shift()
        }
        onClose()
      } finally {
        // Keeps only those not added yet, so that a retry does not add anyone twice.
        draft.set('member_ids', left)
        refresh('members')
      }
    },
    t('Could not add everyone'),
  )
  return (
    <FormModal
      title="Add members"
      opened
      onClose={onClose}
      draft={draft}
      action="Add"
      is_empty={draft.values.member_ids.length === 0}
    >
      <PickMany
        plural="members"
        label="Members"
        required
        value={draft.values.member_ids}
        onChange={ids => draft.set('member_ids', ids)}
      />
      <ValidityFields
        draft={draft}
        zoned={zoned}
        about={{ starts_at: t('Only for short-term extra access'), ends_at: t('Usually left empty') }}
      />
    </FormModal>
  )
}
