import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'

/** A device or a site, and until when it is in maintenance. */
export interface Maintained {
  readonly plural: 'devices' | 'sites'
  readonly id: string
  readonly name: string
  readonly site_id: string
  readonly until: string | null
}

/** Begins and ends maintenance. Both can be undone. */
export function useMaintenance({ plural, id, name, until: before }: Maintained) {
  const { client } = useApi()
  const refresh = useRefresh()
  const set = async (until: string | null) => {
    await client[plural].maintenance(id, { until })
    refresh(plural, 'alarms')
  }
  const change = async (until: string | null, message: string) => {
    try {
      await set(until)
    } catch (error) {
      showFailure(error, t('Could not change the maintenance'))
      return false
    }
    showUndo({ message, undo: () => set(until ? null : before), undone: 'Undone', failed: 'Could not undo' })
    return true
  }
  return {
    begin: (until: string) => change(until, t(`${name} is in maintenance`)),
    end: () => change(null, t(`${name} is no longer in maintenance`)),
  }
}
