/** Why the service closes a connection. It sends an `error` message first, then the WebSocket close code. */
export const deviceClosings = {
  bad_message: {
    code: 4400,
    about: 'A message was not JSON, had an unknown type, or did not match its schema.',
  },
  unauthenticated: {
    code: 4401,
    about:
      'The secret was rotated or revoked, or the device was deleted. Reconnecting with the same secret will not work.',
  },
  unknown_device: { code: 4404, about: 'A message named a device that is not on this connection.' },
  no_hello: { code: 4408, about: 'No `hello` arrived in time.' },
  replaced: {
    code: 4409,
    about:
      'The device has opened a new connection, and only its newest connection counts. Wait at least 5 s before reconnecting.',
  },
  too_large: { code: 4413, about: 'A message was larger than allowed.' },
  out_of_order: {
    code: 4422,
    about: 'Events left a gap, or a message arrived in a state that does not allow it.',
  },
  unsupported_protocol: { code: 4426, about: 'The service does not speak this version of the protocol.' },
  too_many_messages: { code: 4429, about: 'Messages arrived faster than a device has reason to send them.' },
  silent: { code: 4410, about: 'Nothing was received from the device for too long.' },
  too_slow: { code: 4411, about: 'The device does not read the messages sent to it.' },
  failed: { code: 1011, about: 'Something failed in the service. Reconnect.' },
  going_away: { code: 1001, about: 'The service is stopping. Reconnect.' },
} as const

export type DeviceClosing = keyof typeof deviceClosings
