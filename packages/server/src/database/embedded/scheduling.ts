import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Account, runAs } from './account.ts'

type Command = { readonly program: string; readonly flags: readonly string[] }

const batch: Command = { program: 'chrt', flags: ['--batch', '0'] }

/**
 * Returns the command under Linux's policy for batch work, where `chrt` can set it. Each question wakes PostgreSQL, and on a machine with
 * few cores that interrupts the service in the middle of asking. Under this policy what is woken waits until the other pauses, and has the
 * same share of the processor. Who runs under SCHED_IDLE may not leave it, as a drill that gives way to everything else: it stays there.
 */
export async function withoutInterrupting(command: Command, account: Account | undefined): Promise<Command> {
  if (process.platform !== 'linux') return command
  const hasBatch = await promisify(execFile)(batch.program, [...batch.flags, 'true'], runAs(account)).then(
    () => true,
    () => false,
  )
  return hasBatch
    ? { program: batch.program, flags: [...batch.flags, command.program, ...command.flags] }
    : command
}
