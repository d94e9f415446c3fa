import { WebSocket } from 'ws'
import type { Service } from '../service.ts'
import type { Tenant } from '../tenant.ts'

/** Milliseconds for which a late exit sensor is waited for. */
export const grace = 2000

const named = (...ids: string[]) => ids.map(id => ({ id, name: id }))

/** A door with a contact, whose alarms are therefore watched for. */
export const gate = {
  actions: named('open'),
  states: named('closed', 'open'),
  door: { release_action_id: 'open', open_state_id: 'open', closed_state_id: 'closed' },
}

/** Follows the stream. `arrived` grows: when new alarms of each door came, in milliseconds. */
export async function listen(service: Service, tenant: Tenant) {
  const url = `${service.url.replace('http', 'ws')}/v2/events/stream`
  const socket = new WebSocket(url, { headers: await tenant.headers() })
  const arrived = new Map<string, number[]>()
  const ready = Promise.withResolvers<void>()
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'subscribe', filter: [{ object_type: 'alarm' }] })),
  )
  socket.on('message', text => {
    const message = JSON.parse(String(text))
    if (message.type === 'ready') ready.resolve()
    if (message.type !== 'event' || message.event.verb !== 'create') return
    const id = message.event.object.gadget_id
    arrived.set(id, [...(arrived.get(id) ?? []), performance.now()])
  })
  await ready.promise
  return { arrived, [Symbol.dispose]: () => socket.close() }
}
