import { runDrill, type Verified, verifyFolder } from '@gatehouse-access/server'
import { findFolder, findServiceKeys, fromOption, readBackupConfig } from '../backup-settings.ts'
import { type Command, CommandError, type Input, jsonOption } from '../command.ts'
import { readRecoveryKey } from '../read-recovery-key.ts'
import { formatTable } from '../table.ts'

export const backupVerify: Command = {
  name: 'backup verify',
  parameters: ['[ID]'],
  about: 'Reads all backups, or one, and names each file that is not as it was written.',
  details: [
    'Uses the service key of this machine. With --drill, restores the newest backup and all log after it, or the one that is named,',
    'into a temporary folder, checks tables, feed and audit chain, and removes it again. The service does that weekly by itself.',
  ].join('\n'),
  options: {
    drill: { type: 'boolean', about: 'Restore it for a trial.' },
    from: fromOption,
    'recovery-key': {
      type: 'boolean',
      about: 'Read the recovery key from standard input, instead of using the service key.',
    },
    json: jsonOption,
  },
  gives_way: true,
  async run(input) {
    if (input.flag('drill')) return drill(input)
    const keys = input.flag('recovery-key')
      ? { recovery_key: await readRecoveryKey(input) }
      : { service_keys: findServiceKeys(input) }
    const found = await verifyFolder(findFolder(input), keys, input.parameters[0])
    if (input.flag('json')) input.print(JSON.stringify(found))
    const errors = found.flatMap(one => one.errors)
    if (errors.length > 0) throw new CommandError(errors.join('\n'))
    if (!input.flag('json')) input.print(found.length === 0 ? 'There are no backups yet.' : describe(found))
  },
}

function describe(found: readonly Verified[]): string {
  return formatTable(
    ['ID', 'KIND', 'FILES', 'WHOLE'],
    found.map(({ id, kind, files, is_whole }) => [id, kind, String(files), is_whole ? 'yes' : 'no']),
  )
}

async function drill(input: Input): Promise<void> {
  const { data_dir, secret_keys, run_as } = readBackupConfig(input)
  const done = await runDrill({
    folder: findFolder(input),
    data_dir,
    secret_keys,
    run_as,
    id: input.parameters[0],
  })
  if (input.flag('json')) input.print(JSON.stringify(done))
  if (done.error !== null) throw new CommandError(done.error)
  if (!input.flag('json'))
    input.print(`The backup ${done.id} was restored to ${done.reached}, checked and removed again.`)
}
