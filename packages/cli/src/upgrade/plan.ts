import { missingForBackups } from '@gatehouse-access/server'
import { askService } from '../ask-service.ts'
import { CommandError, ConfirmationNeeded, type Input } from '../command.ts'
import { isConfirmed } from '../confirm.ts'
import type { Upgrade } from './steps.ts'

/** Throws unless the running service could be backed up and then replaced. */
export async function requireSound({ config }: Upgrade, withBackup: boolean): Promise<void> {
  const missing = withBackup ? missingForBackups(config) : undefined
  if (missing)
    throw new CommandError(
      `No backup can be made before the upgrade (${missing}): mend that first, or add --without-backup.`,
    )
  const answer = await askService(config, '/readyz').catch(error => ({
    status: 0,
    text: String(error.code ?? error.message),
  }))
  if (answer.status !== 200)
    throw new CommandError(
      `The service is not ready (${answer.text}): only one that works is upgraded; gatehouse doctor says what to do.`,
    )
}

/** Says what will be done, and does not go on without a yes. */
export async function agree(input: Input, upgrade: Upgrade, steps: readonly string[]): Promise<void> {
  const { file, old } = upgrade
  input.print(`Upgrade from ${old} to ${file.version}, ${file.path}:`)
  for (const [index, step] of steps.entries()) input.print(`  ${index + 1}. ${step}`)
  input.print(
    `If ${file.version} does not become ready, ${old} is started again; where it has migrated the database by then, only a restore leads back.`,
  )
  if (input.flag('yes')) return
  if (!input.terminal.stdout.isTTY) throw new ConfirmationNeeded('Nothing was changed: add --yes to upgrade.')
  if (!(await isConfirmed(input, 'Upgrade now?'))) throw new ConfirmationNeeded('Nothing was changed.')
}

export function listSteps({ config, installed }: Upgrade, withBackup: boolean): string[] {
  return [
    `unpack it into ${installed.stage}, and try its migrations on a copy of the schema`,
    withBackup ? `make a backup in ${config.backup_dir}` : 'make no backup',
    ...lastSteps,
  ]
}

const lastSteps = [
  'stop the service, which first finishes its requests, and start the new version from there',
  'once it is ready, install the package, and restart the service from where it is installed',
]

/** What is left of an upgrade that was interrupted after its backup. */
export function listLeftSteps(): string[] {
  return ['go on with the upgrade that was interrupted', ...lastSteps]
}
