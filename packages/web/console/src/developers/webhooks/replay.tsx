import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useAccountRefresh } from '../../data/use-account.ts'
import { useDraft } from '../../form/draft.ts'
import { FormModal } from '../../form/form-modal.tsx'
import { MomentInput } from '../../form/moment-input.tsx'
import { t } from '../../language/t.ts'
import { formatMoment } from '../../parts/time.tsx'
import { useApi } from '../../session/use-api.ts'

interface Replayed {
  readonly count: number
  readonly continue_at: string | null
}

const hour = 3_600_000

/** Resends the events of a time range, for example after a fault of the receiver. */
export function Replay({ path, onClose }: { path: string; onClose: () => void }) {
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const draft = useDraft(
    { starts_at: new Date(Date.now() - hour).toISOString() as string | null, ends_at: null as string | null },
    async ({ starts_at, ends_at }) => {
      const body = { starts_at, ...(ends_at && { ends_at }) }
      const { count, continue_at } = await account<Replayed>('POST', `${path}/replay`, body)
      await refresh(path)
      notifications.show({ message: told(count, continue_at), color: 'teal', autoClose: 10_000 })
      if (continue_at) draft.set('starts_at', continue_at)
      else onClose()
    },
    t('Could not replay events'),
  )
  return (
    <FormModal title="Replay events" opened onClose={onClose} draft={draft} action="Replay">
      <Text size="sm" c="dimmed">
        Sends every event in this period that matches the current rules again, oldest first, including events
        already delivered. Your receiver can recognize repeated events by their ID.
      </Text>
      <div className="pair">
        <MomentInput
          label="From"
          value={draft.values.starts_at}
          onChange={at => draft.set('starts_at', at)}
          error={draft.errorOf('starts_at')}
        />
        <MomentInput
          label="Until"
          description="Leave empty for now"
          value={draft.values.ends_at}
          onChange={at => draft.set('ends_at', at)}
          error={draft.errorOf('ends_at')}
        />
      </div>
    </FormModal>
  )
}

function told(count: number, continue_at: string | null): string {
  const sent = count === 1 ? t('1 event') : t(`${count} events`)
  return continue_at ? t(`${sent} queued; continue from ${formatMoment(continue_at)}`) : t(`${sent} queued`)
}
