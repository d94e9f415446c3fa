import { randomBytes } from 'node:crypto'
import type { Identity } from '../authenticate.ts'
import type { LiveSlice } from '../slices/live-slice.ts'
import type { Held } from './presence.ts'

/** A device on a connection: the device that connected, or a device that a gateway attached. */
export interface AttachedDevice {
  readonly identity: Identity
  readonly connection_id: string
  readonly hardware_id: string
  journal_id: string
  slice: LiveSlice | undefined
}

export function newAttachedDevice(
  identity: Identity,
  hardware_id: string,
  journal_id: string,
): AttachedDevice {
  return {
    identity,
    hardware_id,
    journal_id,
    connection_id: randomBytes(12).toString('base64url'),
    slice: undefined,
  }
}

export function held({ identity, connection_id }: AttachedDevice): Held {
  return { organization_id: identity.organization_id, device_id: identity.device_id, connection_id }
}
