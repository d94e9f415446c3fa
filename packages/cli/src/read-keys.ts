import { loadSecretKeys, parseSecretKeys } from '@gatehouse-access/server'
import { CommandError, type Input } from './command.ts'
import type { Instance } from './instance.ts'

/** Reads the keys of the service from the same source as the service. */
export function readKeys(
  { env }: Pick<Input, 'env'>,
  { config }: Pick<Instance, 'config'>,
): Instance['config']['secret_keys'] {
  const given = env.GATEHOUSE_SECRET_KEY?.trim()
  const keys = given ? parseSecretKeys(given) : loadSecretKeys(config.data_dir)
  if (!keys) throw new CommandError('GATEHOUSE_SECRET_KEY must contain the keys of the service.')
  return keys
}
