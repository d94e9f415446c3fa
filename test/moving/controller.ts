import { expect } from 'vitest'
import { layCable } from '../devices/cable.ts'
import { EdgeChild, type EdgeStatus } from '../devices/edge-child.ts'
import type { DeviceOptions } from '../devices/scripted-device.ts'

/** A controller process with a disk, which is given one address and then another. */
export class MovedController {
  readonly #credentials: DeviceOptions
  readonly #folder: string

  constructor(credentials: DeviceOptions, folder: string) {
    this.#credentials = credentials
    this.#folder = folder
  }

  /** Connects, then loses the connection, opens its door for a PIN and is switched off. */
  async workAlone(pin: string): Promise<EdgeStatus> {
    await using cable = await layCable(this.#credentials.url)
    await using edge = this.#start(cable.url)
    await edge.waitFor(isReady)
    cable.cut()
    await edge.waitFor(({ is_live }) => !is_live)
    expect(await edge.type(`${pin}#`)).toMatchObject([{ type: 'use' }])
    return await edge.status()
  }

  /** Connects to another address, takes the policy there, and opens its door until the service knows of it. */
  async goOn(url: string, pin: string, before: EdgeStatus, isKnown: () => Promise<boolean>): Promise<void> {
    await using edge = this.#start(url)
    const isNewer = (status: EdgeStatus) => isReady(status) && (status.version ?? 0) > (before.version ?? 0)
    await edge.waitFor(isNewer)
    expect(await edge.type(`${pin}#`)).toMatchObject([{ type: 'use' }])
    await expect.poll(isKnown, { timeout: 60_000, interval: 100 }).toBe(true)
  }

  #start(url: string): EdgeChild {
    const { hardware_id, secret } = this.#credentials
    return new EdgeChild({ url, hardware_id, secret, folder: this.#folder, ahead: 0 })
  }
}

function isReady({ is_live, version, is_sure }: EdgeStatus): boolean {
  return is_live && version !== null && is_sure
}
