import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { UntilChoice, type UntilValues, untilOf } from '../form/until-choice.tsx'
import { t } from '../language/t.ts'
import { useZone } from '../schedules/use-site-days.ts'
import { type Maintained, useMaintenance } from './use-maintenance.ts'

const lengths = [
  ['60', t('1 hour')],
  ['240', t('4 hours')],
  ['480', t('8 hours')],
  ['1440', t('1 day')],
] as const

export function MaintenanceDialog({ of, onClose }: { of: Maintained; onClose: () => void }) {
  const { begin } = useMaintenance(of)
  const { data: zone } = useZone(of.site_id)
  const draft = useDraft<UntilValues>({ length: '60', until: null }, async values => {
    const until = untilOf(values, Date.now())
    if (until && (await begin(until))) onClose()
  })
  return (
    <FormModal
      title="Begin maintenance"
      opened
      onClose={onClose}
      draft={draft}
      action="Begin"
      is_empty={untilOf(draft.values, 0) === undefined}
    >
      <p className="dialog-text">
        Alarms of <bdi>{of.name}</bdi> are recorded, and nobody is told of them. It ends by itself.
      </p>
      <UntilChoice draft={draft} lengths={lengths} zone={zone} />
    </FormModal>
  )
}
