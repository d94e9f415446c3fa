import { useState } from 'react'
import type { Alarm } from './alarm.ts'
import type { Folded } from './fold.ts'
import { useAlarmChanges } from './use-alarm-changes.ts'

export interface AlarmListActions extends Omit<ReturnType<typeof useAlarmChanges>, 'snooze'> {
  readonly chosen: ReadonlySet<string>
  choose(ids: readonly string[], is_chosen: boolean): void
  /** Opens the dialog that asks how long. */
  askSnooze(alarm: Alarm | undefined): void
  readonly snoozing: Alarm | undefined
}

/** What the list of alarms holds beside the alarms: which are chosen, and which is about to be snoozed. */
export function useAlarmList(): AlarmListActions {
  const { snooze: _, ...changes } = useAlarmChanges()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [snoozing, askSnooze] = useState<Alarm>()
  const choose = (ids: readonly string[], is_chosen: boolean) =>
    setChosen(held => {
      const next = new Set(held)
      for (const id of ids) {
        if (is_chosen) next.add(id)
        else next.delete(id)
      }
      return next
    })
  return {
    ...changes,
    chosen,
    choose,
    snoozing,
    askSnooze,
    acknowledge: async (folded: readonly Folded[]) => {
      const is_done = await changes.acknowledge(folded)
      if (is_done)
        choose(
          folded.map(({ head }) => head.id),
          false,
        )
      return is_done
    },
  }
}
