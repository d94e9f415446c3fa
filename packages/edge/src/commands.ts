import type { FromDevice, FromService } from '@gatehouse-access/api'
import { toMicroseconds } from '@gatehouse-access/core'
import type { EdgeClock } from './clock.ts'
import type { Platform } from './platform.ts'
import type { Recorder } from './recorder.ts'
import type { Station } from './station.ts'
import type { CommandOutcome, RememberedCommand } from './storage/storage.ts'

type Command = Pick<FromService<'command'>, 'id' | 'gadget_id' | 'action_id' | 'deadline'>
export type Outcome = Pick<FromDevice<'outcome'>, 'id' | 'outcome' | 'reason'>

const rememberedFor = 600_000_000
/** Microseconds after which a connection that was lost unnoticed would have been noticed. */
const surelyTold = 120_000_000
const mostRepeated = 50

interface Parts {
  readonly platform: Platform
  readonly clock: EdgeClock
  readonly recorder: Recorder
  readonly station: Station
}

/**
 * Executes commands of the service. The order is: check → write the id to disk → check again → drive → write
 * the outcome to disk → respond. A power loss at any point therefore leaves a known id, and a known id is
 * never driven again. The deadline is checked right before the hardware is driven, because the disk may have
 * been slow.
 */
export class Commands {
  readonly #parts: Parts
  readonly #known = new Map<string, Promise<Outcome>>()
  readonly #deadlines = new Map<string, number>()
  /** Completed commands, in order of completion. */
  readonly #outcomes = new Map<string, Outcome>()
  /** When outcomes were last repeated, in microseconds of the monotonic clock. */
  #repeatedAt = 0

  constructor(parts: Parts, remembered: readonly RememberedCommand[]) {
    this.#parts = parts
    for (const { id, deadline, outcome, reason } of remembered) {
      const told = outcomeOf(id, outcome ?? 'failed', outcome ? reason : 'unknown')
      this.#outcomes.set(id, told)
      this.#remember(id, deadline, Promise.resolve(told))
    }
  }

  /**
   * Returns the outcomes to repeat on a new connection, because the last connection may not have delivered
   * them. Commands in progress when it broke are among the newest.
   */
  latest(): Outcome[] {
    this.#repeatedAt = this.#parts.platform.monotonic()
    return [...this.#outcomes.values()].slice(-mostRepeated)
  }

  /** A repeated id gets the outcome of the first execution. */
  run(command: Command): Promise<Outcome> {
    const known = this.#known.get(command.id)
    if (known) return known
    const deadline = toMicroseconds(command.deadline)
    const outcome = this.#execute(command, deadline)
    this.#remember(command.id, deadline, outcome)
    return outcome
  }

  /**
   * Ids whose deadline is long past cannot arrive again. Their outcomes are kept until the service has surely heard
   * them, which takes a connection that lasts.
   */
  forgetOld(isConnected: boolean): void {
    const { clock, platform } = this.#parts
    const now = clock.now()
    if (!now.is_sure || !isConnected || platform.monotonic() - this.#repeatedAt < surelyTold) return
    const before = now.time - rememberedFor
    const old = [...this.#deadlines].filter(([, deadline]) => deadline < before)
    for (const [id] of old) {
      this.#known.delete(id)
      this.#deadlines.delete(id)
      this.#outcomes.delete(id)
    }
    if (old.length > 0) void this.#parts.recorder.write({ type: 'forget_commands', before })
  }

  #remember(id: string, deadline: number, outcome: Promise<Outcome>): void {
    this.#known.set(id, outcome)
    this.#deadlines.set(id, deadline)
  }

  async #execute(command: Command, deadline: number): Promise<Outcome> {
    const refused = this.#refuse(deadline)
    if (refused) return this.#end(command, deadline, ...refused)
    await this.#write(command.id, deadline, null, null)
    const late = this.#refuse(deadline)
    if (late) return this.#end(command, deadline, ...late)
    return this.#drive(command, deadline)
  }

  async #drive(command: Command, deadline: number): Promise<Outcome> {
    const { clock, platform, station } = this.#parts
    const { time, doubt } = clock.now()
    const before = platform.monotonic() + deadline - time - doubt
    const driven = await station.drive(command.gadget_id, command.action_id, before)
    if (driven.outcome === 'done') return this.#end(command, deadline, 'done', null)
    const outcome =
      driven.reason === 'unknown_action' ? 'refused' : driven.reason === 'late' ? 'timed_out' : 'failed'
    return this.#end(command, deadline, outcome, driven.reason)
  }

  #refuse(deadline: number): [CommandOutcome, string] | undefined {
    const { clock } = this.#parts
    if (!clock.canJudgeDeadlines()) return ['refused', 'clock_unsure']
    return clock.isPast(deadline) ? ['timed_out', 'late'] : undefined
  }

  async #end(
    { id }: Command,
    deadline: number,
    outcome: CommandOutcome,
    reason: string | null,
  ): Promise<Outcome> {
    await this.#write(id, deadline, outcome, reason)
    const told = outcomeOf(id, outcome, reason)
    this.#outcomes.set(id, told)
    return told
  }

  #write(id: string, deadline: number, outcome: CommandOutcome | null, reason: string | null): Promise<void> {
    return this.#parts.recorder.write({ type: 'command', command: { id, deadline, outcome, reason } })
  }
}

function outcomeOf(id: string, outcome: CommandOutcome, reason: string | null): Outcome {
  return { id, outcome, ...(reason !== null && { reason }) }
}
