import { type DoorMode, modeOfDoorSteps, type Steps } from '@gatehouse-access/core'
import type { EdgePolicy } from '../policy/slice-policy.ts'
import { type DoorGadget, isDoor } from './position.ts'

/** A door and the mode that it has to have. */
export interface DoorTask {
  readonly gadget: DoorGadget
  readonly mode: DoorMode
}

/** All doors of a device. */
export interface Looked {
  readonly tasks: readonly DoorTask[]
  /** When the mode of one of them may next be another one, in microseconds. */
  readonly next: number
}

/** `at`: NaN while the clock is not sure. */
export function* lookAtDoors(
  policy: Pick<EdgePolicy, 'compiled' | 'rows'>,
  deviceId: string | undefined,
  at: number,
): Steps<Looked> {
  const tasks: DoorTask[] = []
  let next = Infinity
  for (const gadget of policy.rows('gadgets').values()) {
    if (gadget.device_id !== deviceId || !isDoor(gadget)) continue
    const now = yield* modeOfDoorSteps(policy.compiled, gadget.id, at)
    if (now) tasks.push({ gadget, mode: now.mode })
    next = Math.min(next, now?.next_change ?? Infinity)
    yield
  }
  return { tasks, next }
}

export function* isLockedDown(
  { compiled }: Pick<EdgePolicy, 'compiled'>,
  gadgetId: string,
  at: number,
): Steps<boolean> {
  const now = yield* modeOfDoorSteps(compiled, gadgetId, at)
  return now?.mode.effective === 'lockdown'
}
