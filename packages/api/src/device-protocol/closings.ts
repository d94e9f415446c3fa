/** Why the service closes a connection: told in an `error` message first, then as the WebSocket close code. */
export const deviceClosings = {
  bad_message: { code: 4400, about: 'A message was no JSON, of no known type, or broke its schema.' },
  unauthenticated: {
    code: 4401,
    about:
      'The secret was rotated or revoked, or the device was deleted. Coming back with the same is in vain.',
  },
  unknown_device: { code: 4404, about: 'A message named a device that this connection does not carry.' },
  no_hello: { code: 4408, about: 'No `hello` came in time.' },
  replaced: {
    code: 4409,
    about:
      'The device connected anew; only its newest connection counts. Wait 5 s or longer before coming back.',
  },
  too_large: { code: 4413, about: 'A message was larger than allowed.' },
  out_of_order: { code: 4422, about: 'Events left a gap, or a message came in a state in which it may not.' },
  unsupported_protocol: { code: 4426, about: 'The service does not speak this version of the protocol.' },
  too_many_messages: { code: 4429, about: 'Messages came faster than a device has reason to send them.' },
  silent: { code: 4410, about: 'Nothing was heard from the device for too long.' },
  too_slow: { code: 4411, about: 'The device does not read what it is sent.' },
  failed: { code: 1011, about: 'A fault of the service; come back.' },
  going_away: { code: 1001, about: 'The service is stopping; come back.' },
} as const

export type DeviceClosing = keyof typeof deviceClosings
