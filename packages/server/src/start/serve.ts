import { readConfig } from '../config/config.ts'
import { launchEmbedded } from './embedded-database.ts'
import { chooseServiceAccount } from './service-account.ts'

/** Runs until SIGTERM or SIGINT. PostgreSQL starts while this process loads its code, which takes as long. */
export async function serve(env: NodeJS.ProcessEnv): Promise<never> {
  const config = readConfig(env)
  const account = await chooseServiceAccount(config)
  const launched = await launchEmbedded(config)
  const { runService } = await import('./run-service.ts')
  return runService(config, env, { account, launched })
}
