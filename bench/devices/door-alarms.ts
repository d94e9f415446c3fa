import { setTimeout as sleep } from 'node:timers/promises'
import { gate, grace, listen } from '../alarms/watched-doors.ts'
import { percentile } from '../delivery/events.ts'
import { judge, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { createTenant, type Tenant } from '../tenant.ts'

const doors = 8
const rounds = 5
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
    await using listener = await listen(service, tenant)
    const opened = new Map<string, number>()
    for (const gadget_id of gadgets) {
      opened.set(gadget_id, performance.now())
      await send(`/devices/${device.id}/simulate`, { state: { gadget_id, state_id: 'open' } })
      await sleep(150)
    }
    while (listener.arrived.size < doors) await sleep(5)
    for (const [id, [at = 0]] of listener.arrived) times.push(at - (opened.get(id) ?? 0) - grace)
  }
  return times
}
