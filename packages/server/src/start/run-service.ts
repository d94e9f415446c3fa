import { setFlagsFromString } from 'node:v8'
import { openSupervisor } from '@gatehouse-access/edge/supervisor'
import { missingForBackups } from '../backup/start.ts'
import type { Config } from '../config/config.ts'
import { reachDatabase } from '../database/db.ts'
import { readDemoAccess } from '../demo/access.ts'
import { type ServerOptions, startServer } from './server.ts'
import { startMessage } from './start-message.ts'

/** Runs until SIGTERM or SIGINT, then finishes running requests. The database stops last. */
export async function runService(
  config: Config,
  env: NodeJS.ProcessEnv,
  options: ServerOptions,
): Promise<never> {
  const server = await startServer(config, options)
  holdMemoryDown()
  // Not before root is dropped: its helper runs what this process tells it.
  const supervisor = openSupervisor(env)
  const { log, db } = server.context
  if (supervisor) log.info({ public_url: config.public_url }, 'Gatehouse is running')
  else {
    const demo = config.demo ? await readDemoAccess(server.context) : undefined
    process.stdout.write(startMessage(config.public_url, demo, missingForBackups(config), config.host))
  }
  supervisor?.ready()
  supervisor?.watch(() => reachDatabase(db))
  const signal = await nextSignal()
  supervisor?.stopping()
  log.info(`${signal}: finishing requests, then stopping`)
  const late = setTimeout(() => {
    log.error('not everything could be finished in time; stopping anyway')
    process.exit(1)
  }, longestGoodbye)
  await server[Symbol.asyncDispose]()
  clearTimeout(late)
  // An abandoned delivery to a receiver that hangs would keep the process running.
  process.exit()
}

/**
 * Lets the heap grow to twice its live size between full collections, not to four times. Not as an argument of Node:
 * with other flags than those of its build, V8 discards the compiled code of Node's own modules, which takes a
 * quarter of a second at the start.
 */
function holdMemoryDown(): void {
  setFlagsFromString('--heap-growing-percent=100')
}

/** Milliseconds. Many supervisors kill a process after ten seconds. */
const longestGoodbye = 9000

function nextSignal(): Promise<string> {
  return new Promise(resolve => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name))
  })
}
