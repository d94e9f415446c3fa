import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

type Command = { readonly program: string; readonly flags: readonly string[] }

const batch: Command = { program: 'chrt', flags: ['--batch', '0'] }

/**
 * Returns the command under Linux's policy for batch work, where `chrt` can set it. Each question wakes PostgreSQL, and on a machine with
 * few cores that interrupts the service in the middle of asking. Under this policy what is woken waits until the other pauses, and has the
 * same share of the processor.
 */
export async function withoutInterrupting(command: Command): Promise<Command> {
  if (process.platform !== 'linux') return command
  const hasBatch = await promisify(execFile)(batch.program, [...batch.flags, 'true']).then(
    () => true,
    () => false,
  )
  return hasBatch
    ? { program: batch.program, flags: [...batch.flags, command.program, ...command.flags] }
    : command
}
