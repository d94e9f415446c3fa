/**
 * Which devices are behind the same gateway: a controller that drives several devices holds their doors
 * together, also without the service.
 */
export class Gateways {
  readonly #gatewayOf = new Map<string, string>()
  readonly #behind = new Map<string, Set<string>>()

  /** Returns the gateway of a device: itself if it connects on its own. */
  of(deviceId: string): string {
    return this.#gatewayOf.get(deviceId) ?? deviceId
  }

  /** Returns true if that was not known before. */
  set(deviceId: string, gatewayId: string | null): boolean {
    const before = this.#gatewayOf.get(deviceId) ?? null
    if (before === gatewayId) return false
    if (before !== null) this.#behind.get(before)?.delete(deviceId)
    if (gatewayId === null) this.#gatewayOf.delete(deviceId)
    else {
      this.#gatewayOf.set(deviceId, gatewayId)
      this.#behind.set(gatewayId, (this.#behind.get(gatewayId) ?? new Set()).add(deviceId))
    }
    return true
  }

  /** Returns the gateway and all devices behind it. */
  devicesOf(gatewayId: string): string[] {
    return [gatewayId, ...(this.#behind.get(gatewayId) ?? [])]
  }
}
