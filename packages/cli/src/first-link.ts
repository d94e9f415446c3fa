import { hasUsers, makeFirstLink, openVault } from '@gatehouse-access/server'
import type { Input } from './command.ts'
import { openMigrated } from './instance.ts'
import { readKeys } from './read-keys.ts'

/** Returns the link with which the first owner signs up; undefined if there are users. */
export async function findFirstLink(input: Pick<Input, 'env'>): Promise<string | undefined> {
  await using instance = await openMigrated(input.env)
  if (await hasUsers(instance.db)) return undefined
  const vault = openVault(readKeys(input, instance))
  return makeFirstLink({ ...instance, vault }, instance.config.public_url)
}
