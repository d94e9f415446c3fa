import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { UntilChoice, type UntilValues, untilOf } from '../form/until-choice.tsx'
import { t } from '../language/t.ts'
import { useZone } from '../schedules/use-site-days.ts'
import { type Alarm, alarmName } from './alarm.ts'
import { useAlarmChanges } from './use-alarm-changes.ts'

const lengths = [
  ['15', t('15 minutes')],
  ['60', t('1 hour')],
  ['240', t('4 hours')],
  ['1440', t('1 day')],
] as const

/** Keeps an alarm quiet for a while, such as for a delivery through a door that is held open. */
export function SnoozeDialog({ alarm, onClose }: { alarm: Alarm; onClose: () => void }) {
  const { snooze } = useAlarmChanges()
  const { data: zone } = useZone(alarm.site_id ?? undefined)
  const draft = useDraft<UntilValues>({ length: '60', until: null }, async values => {
    const until = untilOf(values, Date.now())
    if (until && (await snooze(alarm, until))) onClose()
  })
  const is_empty = untilOf(draft.values, 0) === undefined
  return (
    <FormModal
      title="Snooze the alarm"
      opened
      onClose={onClose}
      draft={draft}
      action="Snooze"
      is_empty={is_empty}
    >
      <p className="dialog-text">
        Nobody is told of “<bdi>{alarmName(alarm)}</bdi>” until then. If it is still on when the time is up,
        it is open again.
      </p>
      <UntilChoice draft={draft} lengths={lengths} zone={zone} />
    </FormModal>
  )
}
