import { type Config, fullPace, Hook, makeBackup } from '@gatehouse-access/server'
import { CommandError, type Input } from './command.ts'

type Wanted = Pick<NonNullable<Parameters<typeof makeBackup>[1]>, 'kind' | 'is_unencrypted'>

/** Makes a backup beside the running service, and waits until the operator's hook knows its files. */
export async function backUp(
  { terminal }: Input,
  config: Config,
  wanted: Wanted = {},
): ReturnType<typeof makeBackup> {
  const warn = (about: object, message: string) =>
    void terminal.stderr.write(`${message}: ${JSON.stringify(about)}\n`)
  const hook = new Hook(config.backup_hook, { warn } as ConstructorParameters<typeof Hook>[1])
  const made = await makeBackup(config, {
    ...wanted,
    pace: fullPace,
    onFile: path => hook.tell(path),
  }).catch(explainFolder)
  await hook.settled()
  return made
}

/** A folder that is full, read-only or gone is told in one sentence. */
function explainFolder(error: unknown): never {
  if (error instanceof Error && 'syscall' in error)
    throw new CommandError(`No backup was made: ${error.message}.`, { cause: error })
  throw error
}
