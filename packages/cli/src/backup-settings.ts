import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, loadSecretKeys, parseSecretKeys, readConfig } from '@gatehouse-access/server'
import { CommandError, type Input, type Option } from './command.ts'
import { readPlainConfig } from './instance.ts'

export const fromOption: Option = {
  type: 'string',
  value: 'FOLDER',
  about: 'The backup folder. Defaults to GATEHOUSE_BACKUP_DIR.',
}

/** Reads the settings, with the keys of the service. */
export function readBackupConfig({ env }: Input): Config {
  const config = readPlainConfig(env)
  if (!env.GATEHOUSE_SECRET_KEY?.trim() && !existsSync(join(config.data_dir, 'secret-key')))
    throw new CommandError(
      `There is no installation in ${config.data_dir}: name another folder with GATEHOUSE_DATA_DIR, or set GATEHOUSE_SECRET_KEY.`,
    )
  return readConfig(env)
}

export function findFolder({ env, text }: Input): string {
  const folder = text('from') ?? readPlainConfig(env).backup_dir
  if (!folder)
    throw new CommandError('There is no backup folder: set GATEHOUSE_BACKUP_DIR, or name it with --from.')
  return folder
}

/** Returns the keys of the service if this machine has them. Creates none. */
export function findServiceKeys({ env }: Input): readonly Buffer[] | undefined {
  const given = env.GATEHOUSE_SECRET_KEY?.trim()
  if (given) return parseSecretKeys(given)
  const { data_dir } = readPlainConfig(env)
  return existsSync(join(data_dir, 'secret-key')) ? loadSecretKeys(data_dir) : undefined
}
