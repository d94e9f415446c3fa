import type { Command, CommandBus, Outcome } from './commands.ts'

/** Thrown if a transaction needs an outcome of real hardware. */
class HardwareNeeded extends Error {
  readonly command: Command

  constructor(command: Command) {
    super('real hardware is asked first')
    this.command = command
  }
}

/**
 * Runs a transaction that sends commands to real hardware. A command may take ten seconds, too long to hold
 * locks and a connection. So the transaction is rolled back, the command runs, and the transaction is retried
 * with the outcome.
 */
export async function withHardwareOutcomes<T>(
  commands: CommandBus,
  attempt: (commands: CommandBus) => Promise<T>,
): Promise<T> {
  const outcomes = new Map<string, Outcome[]>()
  for (;;) {
    try {
      return await attempt(answering(outcomes))
    } catch (error) {
      if (!(error instanceof HardwareNeeded)) throw error
      const key = keyOf(error.command)
      outcomes.set(key, [...(outcomes.get(key) ?? []), await commands.run(error.command)])
    }
  }
}

/** Returns each known outcome once per attempt. */
function answering(outcomes: ReadonlyMap<string, readonly Outcome[]>): CommandBus {
  const given = new Map<string, number>()
  return {
    async run(command) {
      const key = keyOf(command)
      const count = given.get(key) ?? 0
      given.set(key, count + 1)
      const outcome = outcomes.get(key)?.[count]
      if (outcome === undefined) throw new HardwareNeeded(command)
      return outcome
    },
  }
}

function keyOf({ gadget_id, action_id }: Command): string {
  return `${gadget_id} ${action_id}`
}
