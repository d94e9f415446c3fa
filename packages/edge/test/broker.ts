import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@gatehouse-access/testkit'
// @ts-expect-error: plain JavaScript, since it also runs before anything is installed
import { findOrInstallBroker } from '../../../scripts/broker.mjs'
import { makeFolder } from './edge.ts'

export interface Broker extends AsyncDisposable {
  readonly url: string
}

/** Starts a real Mosquitto on its own port. */
export async function startBroker(onPort?: number): Promise<Broker> {
  const program: string = await findOrInstallBroker(resolve(import.meta.dirname, '../../..'))
  const folder = makeFolder()
  const port = onPort ?? (await findFreePort())
  const config = join(folder.path, 'mosquitto.conf')
  writeFileSync(config, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`)
  const child = spawn(program, ['-c', config], { stdio: 'ignore' })
  const gone = new Promise(resolve => child.once('exit', resolve))
  await waitForPort(port)
  return {
    url: `mqtt://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await gone
      folder[Symbol.dispose]()
    },
  }
}

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isOpen = await new Promise(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('close', () => socket.destroy())
      socket.setTimeout(200, () => socket.destroy())
    })
    if (isOpen) return
    await sleep(25)
  }
  throw new Error('the broker did not start')
}
