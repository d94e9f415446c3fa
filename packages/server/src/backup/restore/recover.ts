import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../config/start-error.ts'
import { service_name } from '../../database/embedded/cluster.ts'
import { openLogFile } from '../../database/embedded/log-file.ts'
import { chooseParameters } from '../../database/embedded/parameters.ts'
import { type ClusterPaths, socket_port } from '../../database/embedded/place.ts'
import { type Postmaster, startPostmaster } from '../../database/embedded/postmaster.ts'
import type { Point } from './choose-point.ts'

/** A restored database that runs on a socket, and that nothing serves yet. */
export interface Recovered extends AsyncDisposable {
  readonly connection: { host: string; port: number; user: string; database: string }
}

/** Starts PostgreSQL on unpacked files, lets it apply the log up to the target, and waits until it has. */
export async function recover(
  place: ClusterPaths,
  point: Point,
  ending = new AbortController().signal,
): Promise<Recovered> {
  const log_file = openLogFile(join(place.data_dir, 'postgres.log'))
  const signal = join(place.database_dir, 'recovery.signal')
  await writeFile(signal, '', { mode: 0o600 })
  if (place.account) await chown(signal, place.account.uid, place.account.gid)
  const start = (stop: Record<string, string>) =>
    startPostmaster(
      { place, log_file, parameters: { ...chooseParameters(place, true), ...recovery, ...stop } },
      ending,
    )
  try {
    const postmaster = await start(stopAt(point)).catch(error => {
      // Nothing was committed between the last record and the target: the end of the log is the target.
      if (point.stops && isBeforeTarget(error)) return start({})
      throw error
    })
    return describe(place, postmaster, () => log_file[Symbol.dispose]())
  } catch (error) {
    log_file[Symbol.dispose]()
    throw error
  }
}

/** The log lies in place, so there is nothing to fetch; but recovery insists on a command. */
const recovery = { restore_command: 'false', recovery_target_action: 'promote', hot_standby: 'off' }

function stopAt({ stops, target }: Point): Record<string, string> {
  return stops ? { recovery_target_time: target.replace('T', ' ').replace('Z', '+00') } : {}
}

function isBeforeTarget(error: unknown): boolean {
  return (
    error instanceof StartError && error.message.includes('before configured recovery target was reached')
  )
}

function describe(place: ClusterPaths, postmaster: Postmaster, close: () => void): Recovered {
  return {
    connection: {
      host: place.socket_dir,
      port: socket_port,
      user: service_name,
      database: service_name,
    },
    async [Symbol.asyncDispose]() {
      await postmaster.stop()
      close()
    },
  }
}
