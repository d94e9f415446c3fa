/**
 * What goes beyond version 1 of the protocol. `welcome.capabilities` names what the service accepts; a device
 * sends nothing of a capability that is not among them.
 */
export const deviceCapabilities = {
  doors: '`door` of gadgets: a request to exit releases an electric door, recorded as the event `exit`.',
} as const

export type DeviceCapability = keyof typeof deviceCapabilities

export const capabilityNames = Object.keys(deviceCapabilities) as DeviceCapability[]
