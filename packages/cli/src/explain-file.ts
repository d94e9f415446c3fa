import { CommandError } from './command.ts'

const noRoom = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** A file that cannot be read or written is told in one sentence. */
export function explainFile(outcome: string, error: unknown): never {
  if (error instanceof Error && 'syscall' in error && ('path' in error || isFull(error)))
    throw new CommandError(`${outcome}: ${error.message}.`, { cause: error })
  throw error
}

/** A write to an open file does not name its path. */
function isFull(error: object): boolean {
  return 'code' in error && noRoom.includes(String(error.code))
}
