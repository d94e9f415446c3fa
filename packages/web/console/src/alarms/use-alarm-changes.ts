import { useRefresh } from '../data/use-refresh.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { dropNotice, showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'
import { acknowledgeAll } from './acknowledge.ts'
import { type Alarm, alarmName } from './alarm.ts'
import type { Folded } from './fold.ts'

/** An undo sends a request for each alarm. */
const mostUndone = 20

/** What people do with alarms. Each says what it did, and offers an undo. */
export function useAlarmChanges() {
  const { client } = useApi()
  const refresh = useRefresh()
  const settle = () => refresh('alarms', 'events', 'notifications')
  const run = async (work: () => Promise<Done | undefined>, failed: string): Promise<boolean> => {
    try {
      const done = await work()
      if (done) tell(done)
      return true
    } catch (error) {
      showFailure(error, failed)
      return false
    } finally {
      settle()
    }
  }
  const tell = ({ of, message, undo }: Done) =>
    showUndo({
      of,
      message,
      undo: undo && (() => undo().finally(settle)),
      undone: 'Undone',
      failed: 'Could not undo',
    })
  const reopen = async (ids: readonly string[]) => {
    for (const id of ids) await client.alarms.reopen(id)
  }
  return {
    acknowledge: (folded: readonly Folded[]) =>
      run(async () => {
        const ids = await acknowledgeAll(client, folded)
        if (ids.length === 0) return undefined
        const message = acknowledgedWords(folded, ids.length)
        const of = ids.join()
        return { of, message, ...(ids.length <= mostUndone && { undo: () => reopen(ids) }) }
      }, t('Could not acknowledge')),
    close: (alarm: Alarm) =>
      run(async () => {
        await client.alarms.close(alarm.id)
        return { of: alarm.id, message: `${alarmName(alarm)}: closed`, undo: () => reopen([alarm.id]) }
      }, t('Could not close the alarm')),
    reopen: (alarm: Alarm) =>
      run(async () => {
        await client.alarms.reopen(alarm.id)
        dropNotice(alarm.id)
        return undefined
      }, t('Could not reopen the alarm')),
    snooze: (alarm: Alarm, until: string) =>
      run(async () => {
        await client.alarms.snooze(alarm.id, { until })
        return { of: alarm.id, message: `${alarmName(alarm)}: snoozed`, undo: () => reopen([alarm.id]) }
      }, t('Could not snooze the alarm')),
  }
}

interface Done {
  /** The alarms. */
  readonly of: string
  readonly message: string
  readonly undo?: () => Promise<void>
}

function acknowledgedWords([first, ...others]: readonly Folded[], count: number): string {
  if (first && others.length === 0 && count === 1) return t(`${alarmName(first.head)}: acknowledged`)
  return t(`${count.toLocaleString(locale)} alarms acknowledged`)
}
