import { TextInput } from '@mantine/core'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { MomentInput } from '../form/moment-input.tsx'
import { t } from '../language/t.ts'
import type { Suspendable } from './suspension.ts'
import { useSuspend } from './use-suspend.ts'

interface SuspendDialogProps {
  readonly of: Suspendable
  readonly onClose: () => void
}

/** Asks why, and until when. Neither is needed. */
export function SuspendDialog({ of, onClose }: SuspendDialogProps) {
  const { suspend } = useSuspend(of)
  const draft = useDraft(
    { reason: of.suspended_reason ?? '', until: of.suspended_until },
    async ({ reason, until }) => {
      await suspend({ is_suspended: true, suspended_until: until, suspended_reason: reason.trim() || null })
      onClose()
    },
    t('Could not suspend'),
  )
  const is_past = draft.values.until !== null && Date.parse(draft.values.until) <= Date.now()
  return (
    <FormModal title="Suspend" opened onClose={onClose} draft={draft} action="Suspend" is_empty={is_past}>
      <p className="dialog-text">
        <bdi>{of.name}</bdi>: {of.about} Nothing is deleted, and you can lift it at any time.
      </p>
      <TextInput
        label="Reason"
        description="For administrators. The guest page never shows it."
        maxLength={500}
        value={draft.values.reason}
        onChange={event => draft.set('reason', event.currentTarget.value)}
        data-autofocus
      />
      <MomentInput
        label="Until"
        description="Leave empty for no end"
        {...of.zoned}
        value={draft.values.until}
        onChange={until => draft.set('until', until)}
        error={is_past ? 'Choose a time in the future.' : draft.errorOf('suspended_until')}
      />
    </FormModal>
  )
}
