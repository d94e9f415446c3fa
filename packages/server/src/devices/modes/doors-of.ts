import type { SliceRow } from '@gatehouse-access/api'
import { concerns, type DoorPlace, type Emergency } from '@gatehouse-access/core'
import type { ModeSources } from './mode-sources.ts'

type Gadget = Pick<SliceRow<'gadgets'>, 'id' | 'site_id' | 'device_id' | 'door'>

/** What is known of the places of an organization. */
export interface DoorIndex {
  readonly gadgets: ReadonlyMap<string, Gadget>
  /** The tags of gadgets that have any. */
  readonly tags: ReadonlyMap<string, readonly string[]>
  readonly gadgets_of_device: ReadonlyMap<string, readonly string[]>
  /** Returns the gadgets that a device decides about: also those elsewhere that its inputs or triggers run. */
  reachedFrom(deviceId: string): Iterable<string>
}

/** The doors that one gateway decides about, and all gadgets of its own. */
export interface GatewayDoors {
  readonly doors: readonly DoorPlace[]
  readonly gadgets: ReadonlySet<string>
}

export function doorsOfGateway(sources: ModeSources, index: DoorIndex, gatewayId: string): GatewayDoors {
  const devices = sources.gateways.devicesOf(gatewayId)
  const gadgets = devices.flatMap(id => index.gadgets_of_device.get(id) ?? [])
  const elsewhere = devices.flatMap(id => [...index.reachedFrom(id)])
  const reached = new Set([...gadgets, ...elsewhere])
  return { gadgets: new Set(gadgets), doors: placesOf(index, reached) }
}

/** Returns those of the gadgets that are doors. */
export function placesOf({ gadgets, tags }: DoorIndex, ids: Iterable<string>): DoorPlace[] {
  return [...ids].flatMap(id => {
    const gadget = gadgets.get(id)
    if (!gadget?.door) return []
    return [{ gadget_id: id, site_id: gadget.site_id, tag_ids: tags.get(id) ?? [] }]
  })
}

/** Returns the doors that an emergency or a plan concerns. */
export function reached(reach: Emergency, doors: readonly DoorPlace[]): string[] {
  return doors.filter(door => concerns(reach, door)).map(({ gadget_id }) => gadget_id)
}
