/** The protocol version. A `hello` with another version is closed with `unsupported_protocol`. */
export const deviceProtocol = 1

/** Limits for both sides. A `welcome` repeats those that firmware may want to read there. */
export const deviceLimits = {
  /** Seconds between two pings from a device. */
  heartbeat: 15,
  /**
   * Seconds without any message after which either side considers the connection lost. The service looks every
   * second, so that a device is offline after 45 s at the latest.
   */
  silence: 44,
  /** Seconds from the upgrade to the `hello`. */
  hello: 10,
  /** Bytes per message from a device. */
  message_bytes: 256 * 1024,
  /** Bytes per message from the service. */
  answer_bytes: 1024 * 1024,
  /** Events per message. */
  events: 500,
  /** Doors per `doors` message. */
  doors: 64,
  /** Members per part of a snapshot: about 100 kB, so that a slow line shows progress within seconds. */
  members: 400,
  /** Devices that a gateway can attach, in addition to itself. */
  attached: 256,
  /** Seconds that a command may take, from the request to the result. */
  command: 10,
  /** Seconds that a device's estimate of the service's time may be off for it to still execute commands. */
  clock: 2,
} as const
