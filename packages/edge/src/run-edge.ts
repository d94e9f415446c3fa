import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@gatehouse-access/core'
import { Agent } from './agent.ts'
import { readSecret } from './config.ts'
import { ConfigProblem } from './config-problem.ts'
import type { Driver } from './drivers/driver.ts'
import { MqttDriver } from './drivers/mqtt.ts'
import { SimulatedDriver } from './drivers/simulated.ts'
import { type Options, readOptions, usage } from './options.ts'
import type { Log, Platform } from './platform.ts'
import { nodePlatform } from './platform-node.ts'
import { lockFolder } from './storage/folder-lock.ts'
import { openSqliteStorage } from './storage/sqlite-storage.ts'
import { openSupervisor } from './supervisor.ts'
import { webSocketTo } from './websocket.ts'

/** Plain text for people, and JSON for the journal of systemd. */
function openLog(env: NodeJS.ProcessEnv): Log {
  if (!env.JOURNAL_STREAM) return { info: text => console.log(text), error: text => console.error(text) }
  const write = (level: number) => (msg: string) =>
    console.log(JSON.stringify({ level, time: Date.now(), msg }))
  return { info: write(30), error: write(50) }
}

/** Runs the command. Returns an exit code when it cannot start; otherwise runs until it is stopped. */
export async function runEdge(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const options = readOptions(args, env)
    if (options === 'help') {
      console.log(usage)
      return 0
    }
    await serve(options, env)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error
    console.error(error.message)
    return 2
  }
}

async function serve(options: Options, env: NodeJS.ProcessEnv): Promise<void> {
  const platform = nodePlatform()
  const log = openLog(env)
  const supervisor = openSupervisor(env)
  await using stack = new AsyncDisposableStack()
  stack.use(takeFolder(options.data))
  let agent: Agent | undefined
  const driver = openDriver(options, { platform, log }, () => agent as Agent)
  if (driver instanceof MqttDriver) stack.use(driver)
  const devices = openDevices(options)
  agent = stack.use(new Agent({ platform, log, driver, connect: webSocketTo(options), devices }))
  agent.start()
  supervisor?.ready()
  // A full disk is an answer too: doors go on without it, and a restart would not help.
  supervisor?.watch(() => Promise.all(devices.map(({ storage }) => storage.write([]).catch(() => undefined))))
  log.info(`${options.hardware_id} is running; policy and journal are in ${options.data}`)
  await new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
  supervisor?.stopping()
}

/** Without a broker, the doors are simulated, which is enough to try everything out. */
function openDriver({ mqtt }: Options, parts: { platform: Platform; log: Log }, agent: () => Agent): Driver {
  if (!mqtt) return new SimulatedDriver(parts.platform)
  const password = mqtt.password_file === undefined ? {} : { password: readSecret(mqtt.password_file) }
  return new MqttDriver({ config: mqtt, ...parts, ...password }, agent)
}

/** Locks the data folder before anything is connected or driven. */
function takeFolder(data: string): Disposable {
  return usingFolder(data, () => {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    return lockFolder(data)
  })
}

function openDevices({ data, hardware_id, secret, devices }: Options) {
  return usingFolder(data, () =>
    [{ hardware_id, secret }, ...devices].map(device => ({
      ...device,
      storage: openSqliteStorage(join(data, `${device.hardware_id}.sqlite`), `jrn_${randomUUID()}`),
    })),
  )
}

function usingFolder<T>(data: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ConfigProblem) throw error
    throw new ConfigProblem(`The data folder ${data} cannot be used: ${messageOf(error)}.`)
  }
}
