import {
  type Config,
  compareSchema,
  connect,
  connectionsOf,
  StartError,
  startEmbedded,
} from '@gatehouse-access/server'
import { CommandError } from '../command.ts'
import { waitForService } from '../set-up/finish.ts'
import type { Installed } from './installed.ts'
import type { Machine } from './machine.ts'
import type { PackageFile } from './package-file.ts'
import { chooseInstalled, chooseStaged, installFile, removeStage } from './stage.ts'

export interface Upgrade {
  readonly machine: Machine
  readonly installed: Installed
  readonly file: PackageFile
  readonly config: Config
  /** The version that is installed now. */
  readonly old: string
  print(line: string): void
}

/**
 * Starts the new version where it was unpacked, and installs it once it is ready. The installed version is whole
 * until then, and the unpacked one until the other is: killed at any moment, systemd has a version to start.
 */
export async function replaceVersion(upgrade: Upgrade, backup: string | undefined): Promise<void> {
  const { machine, installed, file, config, print } = upgrade
  await chooseStaged(machine, installed)
  print(`Starting ${file.version}, after the last requests of ${upgrade.old}.`)
  try {
    await machine.run('systemctl', ['restart', 'gatehouse'])
    await waitForService(config)
  } catch (cause) {
    throw await goBack(upgrade, backup, cause)
  }
  print(`${file.version} is ready. Installing it.`)
  await installFile(machine, installed, file).catch(explainLeft(upgrade))
  await useInstalled(upgrade)
}

/** Lets the service run from where it is installed, and removes what was unpacked. */
export async function useInstalled(upgrade: Upgrade): Promise<void> {
  await chooseInstalled(upgrade.machine)
  await startInstalled(upgrade)
  await waitForService(upgrade.config)
  removeStage(upgrade.installed)
}

function explainLeft({ file, installed }: Upgrade) {
  return (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      `${file.version} runs from ${installed.stage}, but could not be installed: ${why} Run the command again.`,
      { cause: error },
    )
  }
}

/** A unit that npm's package wrote has to be that of the new version. A Debian package brings its own. */
async function startInstalled({ machine, installed }: Upgrade): Promise<void> {
  if (installed.by === 'npm') await machine.run(`${installed.prefix}/bin/gatehouse`, ['service', 'install'])
  else await machine.run('systemctl', ['restart', 'gatehouse'])
}

/** Starts the old version again, unless the new one has migrated the database. Returns what to tell. */
async function goBack(upgrade: Upgrade, backup: string | undefined, cause: unknown): Promise<CommandError> {
  const { machine, file, config, old } = upgrade
  const tell = (sentence: string) => new CommandError(`${file.version} did not start: ${sentence}`, { cause })
  await machine.run('systemctl', ['stop', 'gatehouse'])
  await chooseInstalled(machine)
  const migrated = await isMigrated(config).catch(isStartError)
  if (migrated) {
    removeStage(upgrade.installed)
    return tell(describeRestore(upgrade, backup))
  }
  try {
    await startAgain(upgrade)
  } catch {
    return tell(
      `${reason}. Neither does ${old} any more${backup ? `; the backup from before is ${backup}` : ''}.`,
    )
  }
  removeStage(upgrade.installed)
  return tell(`${reason}. ${old} runs again, on the database as it was.`)
}

/** Starts what is installed, unless it runs. */
export async function startAgain({ machine, config }: Upgrade): Promise<void> {
  await machine.run('systemctl', ['start', 'gatehouse'])
  await waitForService(config)
}

const reason = 'journalctl -u gatehouse says why'

function describeRestore({ config, old }: Upgrade, backup: string | undefined): string {
  const why = `it has migrated the database, which ${old} cannot use any more. The service is stopped, and a restore is the way back`
  const from = backup ? `gatehouse restore --backup ${backup}` : 'restore your last backup'
  const how = config.database_url
    ? `${from} into an empty database`
    : `mv ${config.data_dir}/database ${config.data_dir}/database-migrated; ${from}`
  return `${why}: ${how}; systemctl start gatehouse. ${reason}.`
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

/** This version refuses the files of a newer PostgreSQL, into which the new version has converted the database. */
function isStartError(error: unknown): boolean {
  return error instanceof StartError
}

/** Whether the database of the stopped service has migrations that this version does not know. */
async function isMigrated(config: Config): Promise<boolean> {
  await using owned = new AsyncDisposableStack()
  const { data_dir, run_as } = config
  const way =
    connectionsOf(config)?.direct ??
    owned.use(await startEmbedded({ data_dir, run_as, log: quiet })).connection
  const db = owned.use(connect(way, 1))
  return (await compareSchema(db)).newer.length > 0
}
