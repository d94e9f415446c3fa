import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { type Account, chooseAccount } from '../database/embedded/account.ts'

/** Returns the account that the service switches to, or undefined if it keeps its own. */
export async function chooseServiceAccount({ data_dir, run_as }: Config): Promise<Account | undefined> {
  if (run_as === 'root') return undefined
  const account = await chooseAccount(join(data_dir, 'database'), run_as)
  if (!account && run_as !== undefined && run_as !== userInfo().username)
    throw new StartError(`GATEHOUSE_RUN_AS is ${run_as}: only root can become another user.`)
  return account
}
