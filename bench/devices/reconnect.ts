import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { percentile } from '../delivery/events.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { startService } from '../service.ts'
import { build, type Credentials } from './building.ts'
import { startFleet } from './fleet-process.ts'

const controllers = 200

/** All controllers of one organization come back at once. Meanwhile the controller of a neighbour does, again and again. */
export async function measureReconnect(): Promise<void> {
  await using service = await startService()
  const large = await build(service.db, controllers, 2, 'LARGE')
  const [neighbour] = (await build(service.db, 1, 2, 'SMALL')).devices
  if (!neighbour) throw new Error('no neighbour')
  await service.db.query('ANALYZE')
  using crowd = startFleet()
  for (let round = 0; round < 5; round++) await register(service.url, neighbour)
  const alone: number[] = []
  for (let round = 0; round < 10; round++) alone.push(await register(service.url, neighbour))
  const begun = performance.now()
  let isBack = false
  const back = crowd.connect(service.url, large.devices, controllers).then(() => {
    isBack = true
  })
  await sleep(500)
  const beside: number[] = []
  while (!isBack) beside.push(await register(service.url, neighbour))
  await back
  const [before, after] = [percentile(alone, 0.5), percentile(beside, 0.5)]
  printTable(
    `${controllers} controllers of one organization come back at once, in ${formatCount(performance.now() - begun)} ms`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['a neighbour registers alone, median, ms', before.toFixed(0), '', ''],
      [`beside them, median of ${beside.length}, ms`, after.toFixed(0), '', ''],
      ['beside them, slowest, ms', Math.max(...beside).toFixed(0), '', ''],
      ['median beside them by alone', ...judge(after / before, 5, 'at most', 1)],
    ],
  )
}

/** Milliseconds until the controller has its slice. */
async function register(url: string, device: Credentials): Promise<number> {
  const { hardware_id, secret } = device
  const begin = performance.now()
  const authorization = `Basic ${Buffer.from(`${hardware_id}:${secret}`).toString('base64')}`
  const socket = new WebSocket(`${url.replace('http', 'ws')}/device/v1/connect`, {
    headers: { authorization },
  })
  const journal = { id: `journal-${hardware_id}`, last_sequence: 0 }
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: 1, journal })))
    // A busy service takes no more for a moment.
    socket.on('unexpected-response', () =>
      setTimeout(() => register(url, device).then(() => resolve(), reject), 100),
    )
    socket.on('error', reject)
    socket.on('message', text => JSON.parse(String(text)).type === 'snapshot_end' && resolve())
  })
  const took = performance.now() - begin
  socket.close()
  return took
}
