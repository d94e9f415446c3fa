/** The version of the protocol; a `hello` with another is closed with `unsupported_protocol`. */
export const deviceProtocol = 1

/** What both sides keep to. A `welcome` repeats those that a firmware may want to read there. */
export const deviceLimits = {
  /** Seconds between two pings of a device. */
  heartbeat: 15,
  /** Seconds without any message after which either side takes the connection for lost. */
  silence: 40,
  /** Seconds from upgrade to `hello`. */
  hello: 10,
  /** Bytes of one message of a device. */
  message_bytes: 256 * 1024,
  /** Bytes of one message of the service. */
  answer_bytes: 1024 * 1024,
  /** Events in one message. */
  events: 500,
  /** Members in one part of a snapshot: about 100 kB, so that a slow line shows in seconds that it moves. */
  members: 400,
  /** Devices one gateway carries beside itself. */
  attached: 256,
  /** Seconds a command may take, from the request to the outcome. */
  command: 10,
  /** Seconds by which a device may misjudge the service's time and still execute commands. */
  clock: 2,
} as const
