import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { percentile } from '../delivery/events.ts'
import { build, type Credentials } from '../devices/building.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { cpuOver } from './storm.ts'
import { addRule, openReceiver } from './told.ts'
import { listen } from './watched-doors.ts'

const perMinute = 1000
const controllers = 20

/** Controllers report 1,000 alarms a minute, each of another door. */
export async function measureRate(minutes: number): Promise<void> {
  await using service = await startService()
  await using receiver = await openReceiver()
  const total = Math.round(perMinute * minutes)
  const building = await build(service.db, controllers, Math.ceil(total / controllers))
  await addRule(service, building.tenant, receiver.url, { types: ['door_forced'] })
  await service.db.query('ANALYZE')
  await using listener = await listen(service, building.tenant)
  const arrivals = listener.arrived
  const reporters = await Promise.all(building.devices.map(device => connect(service.url, device)))
  const sent = new Map<string, number>()
  const lags: number[] = []
  const used = await cpuOver(service.pid, async () => {
    const begun = performance.now()
    for (let number = 0; number < total; number++) {
      const wait = begun + (number * 60_000) / perMinute - performance.now()
      if (wait > 1) await sleep(wait)
      const reporter = reporters[number % controllers]
      const gadget_id = reporter?.report() ?? ''
      sent.set(gadget_id, performance.now())
      if (number % 200 === 0) lags.push(await lagOf(service))
    }
    for (let wait = 0; wait < 300 && arrivals.size < total; wait++) await sleep(100)
  })
  const times = [...sent].flatMap(([id, at]) => {
    const arrived = arrivals.get(id)?.[0]
    return arrived === undefined ? [] : [arrived - at]
  })
  // The last ones are being queued.
  for (let wait = 0; wait < 300 && (await countDue(service)) > 0; wait++) await sleep(100)
  const [stored] = await service.db.query<{ alarms: number; doors: number; untold: number }>(
    `SELECT count(*)::integer AS alarms, count(DISTINCT gadget_id)::integer AS doors,
       (SELECT count(*)::integer FROM alarms a WHERE NOT EXISTS (SELECT 1 FROM notifications n WHERE n.organization_id = a.organization_id AND n.alarm_id = a.id)) AS untold
     FROM alarms WHERE type = 'door_forced'`,
  )
  const repeated = [...arrivals.values()].filter(all => all.length > 1).length
  for (const { socket } of reporters) socket.close()
  printTable(
    `${formatCount(perMinute)} alarms a minute for ${minutes} minutes`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['reported', formatCount(sent.size), '', ''],
      ['alarms that are missing', ...judge(total - (stored?.doors ?? 0), 0, 'at most', 0)],
      ['alarms that exist twice', ...judge((stored?.alarms ?? 0) - (stored?.doors ?? 0), 0, 'at most', 0)],
      ['missing in the stream', ...judge(total - arrivals.size, 0, 'at most', 0)],
      ['twice in the stream', ...judge(repeated, 0, 'at most', 0)],
      ['report to stream, median, ms', percentile(times, 0.5).toFixed(0), '', ''],
      ['report to stream, p95, ms', percentile(times, 0.95).toFixed(0), '', ''],
      ['report to stream, slowest, ms', ...judge(Math.max(...times), 2000, 'at most', 0)],
      ['lag of consumers, largest seen, s', ...judge(Math.max(...lags), 2, 'at most', 2)],
      ['messages to the target', formatCount(receiver.told.length), '', ''],
      ['alarms that nobody is queued for', ...judge(stored?.untold ?? -1, 0, 'at most', 0)],
      ['the service, % of one core', ((100 * used.cpu) / used.seconds).toFixed(1), '', ''],
      ['memory, MB', (await service.memory()).toFixed(0), '', ''],
    ],
  )
}

interface Reporter {
  readonly socket: WebSocket
  /** Reports that the next of its doors was forced. Returns the door. */
  report(): string
}

function connect(
  url: string,
  { device_id, gadget_ids, hardware_id, secret }: Credentials,
): Promise<Reporter> {
  const authorization = `Basic ${Buffer.from(`${hardware_id}:${secret}`).toString('base64')}`
  const socket = new WebSocket(`${url.replace('http', 'ws')}/device/v1/connect`, {
    headers: { authorization },
  })
  const journal = { id: `journal-${hardware_id}`, last_sequence: 0 }
  const send = (message: object) => socket.send(JSON.stringify(message))
  const capabilities = ['schedule_exceptions', 'zone_tables', 'doors', 'door_modes', 'door_monitor']
  let sequence = 0
  let waiting: object[] = []
  let isSending = false
  // As controllers do: one upload at a time, with everything that has come up meanwhile.
  const upload = () => {
    isSending = waiting.length > 0
    if (isSending) send({ type: 'events', device_id, journal_id: journal.id, events: waiting })
    waiting = []
  }
  const report = () => {
    const gadget_id = gadget_ids[sequence] ?? ''
    const now = new Date().toISOString()
    const alarm = {
      type: 'alarm',
      alarm_type: 'door_forced',
      is_over: false,
      started_at: now,
      occurred_at: now,
    }
    waiting.push({ ...alarm, sequence: ++sequence, gadget_id })
    if (!isSending) upload()
    return gadget_id
  }
  return new Promise((resolve, reject) => {
    socket.on('open', () => send({ type: 'hello', protocol: 1, capabilities, journal }))
    socket.on('error', reject)
    socket.on('message', text => {
      const { type } = JSON.parse(String(text))
      if (type === 'snapshot_end') resolve({ socket, report })
      if (type === 'ack') upload()
    })
  })
}

async function countDue({ db }: Service): Promise<number> {
  const rows = await db.query('SELECT 1 FROM alarm_tellings WHERE due_at IS NOT NULL')
  return rows.length
}

async function lagOf(service: Service): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const lags = [...text.matchAll(/^gatehouse_(?:feed|consumer)_lag_seconds\S* (\S+)/gm)]
  return Math.max(...lags.map(([, value]) => Number(value)))
}
