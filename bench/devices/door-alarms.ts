import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { percentile } from '../delivery/events.ts'
import { judge, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { createTenant, type Tenant } from '../tenant.ts'

const doors = 8
const rounds = 5
/** Milliseconds for which a late exit sensor is waited for. */
const grace = 2000
const named = (...ids: string[]) => ids.map(id => ({ id, name: id }))
const gate = {
  actions: named('open'),
  states: named('closed', 'open'),
  door: { release_action_id: 'open', open_state_id: 'open', closed_state_id: 'closed' },
}

/** Measures the time from the contact of a virtual door until its alarm is in the stream. */
export async function measureDoorAlarms(): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Doors')
  const times = await measure(service, tenant)
  printTable(
    `Contact of a virtual door to its alarm in the stream, ${times.length} doors`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['beyond the 2 s grace: median, ms', percentile(times, 0.5).toFixed(0), '', ''],
      ['beyond the 2 s grace: p95, ms', ...judge(percentile(times, 0.95), 300, 'at most', 0)],
    ],
  )
}

async function measure(service: Service, tenant: Tenant): Promise<number[]> {
  const send = async (path: string, body: object): Promise<{ id: string }> => {
    const headers = { ...(await tenant.headers()), 'content-type': 'application/json' }
    const answer = await fetch(`${service.url}/v2${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { id: string }
  }
  const site = await send('/sites', { name: 'Site', timezone: 'Europe/Madrid' })
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Alarms that occur again are told as an edit, so each round has doors of its own.
    const device = await send('/devices', { name: 'Box', site_id: site.id, product_id: 'controller' })
    const gadgets: string[] = []
    for (let door = 0; door < doors; door++)
      gadgets.push((await send('/gadgets', { name: 'Door', device_id: device.id, ...gate })).id)
    const arrivals = await listen(service, tenant, doors)
    const opened = new Map<string, number>()
    for (const gadget_id of gadgets) {
      opened.set(gadget_id, performance.now())
      await send(`/devices/${device.id}/simulate`, { state: { gadget_id, state_id: 'open' } })
      await sleep(150)
    }
    for (const [id, at] of await arrivals()) times.push(at - (opened.get(id) ?? 0) - grace)
  }
  return times
}

/** Returns what tells when the first alarm of each gadget arrived, once `count` of them have one. */
async function listen(service: Service, tenant: Tenant, count: number) {
  const url = `${service.url.replace('http', 'ws')}/v2/events/stream`
  const socket = new WebSocket(url, { headers: await tenant.headers() })
  const arrived = new Map<string, number>()
  const ready = Promise.withResolvers<void>()
  const all = Promise.withResolvers<Map<string, number>>()
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'subscribe', filter: [{ object_type: 'alarm' }] })),
  )
  socket.on('message', text => {
    const message = JSON.parse(String(text))
    if (message.type === 'ready') ready.resolve()
    if (message.type !== 'event' || message.event.verb !== 'create') return
    arrived.set(message.event.object.gadget_id, performance.now())
    if (arrived.size < count) return
    socket.close()
    all.resolve(arrived)
  })
  await ready.promise
  return () => all.promise
}
