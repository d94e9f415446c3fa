import { CommandError } from './command.ts'

/** A file that cannot be read or written is told in one sentence. */
export function explainFile(outcome: string, error: unknown): never {
  if (error instanceof Error && 'syscall' in error && 'path' in error)
    throw new CommandError(`${outcome}: ${error.message}.`, { cause: error })
  throw error
}
