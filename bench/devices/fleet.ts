import { createHash } from 'node:crypto'
import type { FromService } from '@gatehouse-access/api'
import { WebSocket } from 'ws'
import type { Credentials } from './building.ts'

/**
 * Simulated controllers in a separate process. They track versions and hashes as the protocol requires,
 * confirm, ping, and report when each delta was applied. They store no slices, because only the service is
 * measured.
 */
type Ask =
  | {
      readonly type: 'connect'
      readonly url: string
      readonly devices: readonly Credentials[]
      readonly at_once: number
    }
  | { readonly type: 'take' }
  | { readonly type: 'upload'; readonly events: number; readonly url: string; readonly device: Credentials }

/** When each delta was applied, in milliseconds since the epoch. */
let appliedAt: number[] = []
let applied = 0

function connect(url: string, { hardware_id, secret }: Credentials): WebSocket {
  const authorization = `Basic ${Buffer.from(`${hardware_id}:${secret}`).toString('base64')}`
  return new WebSocket(`${url.replace('http', 'ws')}/device/v1/connect`, {
    headers: { authorization },
    perMessageDeflate: false,
  })
}

function greet(socket: WebSocket, journal: string): void {
  const capabilities = ['schedule_exceptions', 'zone_tables', 'doors', 'door_modes']
  socket.send(
    JSON.stringify({ type: 'hello', protocol: 1, capabilities, journal: { id: journal, last_sequence: 0 } }),
  )
}

/** Reports all doors as locked down, or as they were, at once. */
function obey({ device_id, gadget_ids }: Credentials, { to, put }: FromService<'delta'>): string {
  const emergency_ids = put.emergencies?.map(({ id }) => id) ?? []
  const cause =
    emergency_ids.length > 0
      ? { mode: 'lockdown', source: 'emergency', emergency_ids }
      : { mode: 'controlled', source: 'default' }
  const doors = gadget_ids.map(gadget_id => ({ gadget_id, ...cause, outcome: 'done' }))
  return JSON.stringify({ type: 'doors', device_id, version: to, doors })
}

/** Resolves when the first snapshot has been confirmed. */
function runController(url: string, credentials: Credentials): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(url, credentials)
    let hash = createHash('sha256')
    const confirm = (version: number, digest: string) =>
      socket.send(
        JSON.stringify({ type: 'applied', device_id: credentials.device_id, version, hash: digest }),
      )
    socket.on('open', () => greet(socket, `journal-${credentials.hardware_id}`))
    // A busy service takes no more for a moment.
    socket.once('unexpected-response', () =>
      setTimeout(() => runController(url, credentials).then(resolve, reject), 1000),
    )
    socket.on('error', reject)
    socket.on('close', code => reject(new Error(`closed with ${code}`)))
    socket.on('message', data => {
      const frame = String(data)
      const message = JSON.parse(frame)
      if (message.type === 'snapshot_begin') hash = createHash('sha256')
      if (message.type.startsWith('snapshot_')) hash.update(frame)
      if (message.type === 'snapshot_end') {
        confirm(message.version, hash.digest('hex'))
        resolve()
      }
      if (message.type !== 'delta') return
      confirm(message.to, createHash('sha256').update(frame).digest('hex'))
      if (message.put.emergencies || message.remove.emergencies) socket.send(obey(credentials, message))
      appliedAt.push(performance.timeOrigin + performance.now())
      applied++
    })
    setInterval(
      () =>
        socket.readyState === socket.OPEN &&
        socket.send(JSON.stringify({ type: 'ping', sent_at: new Date().toISOString() })),
      15_000,
    ).unref()
  })
}

async function connectAll(url: string, devices: readonly Credentials[], atOnce: number): Promise<void> {
  let next = 0
  const work = async () => {
    for (let device = devices[next++]; device; device = devices[next++]) await runController(url, device)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** Continues the journal, batch by batch. Returns how many seconds that took. */
function upload(url: string, credentials: Credentials, count: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const { device_id, gadget_id } = credentials
    const journal_id = 'journal-upload'
    const socket = connect(url, credentials)
    let begin = 0
    let last = count
    const send = (first: number) => {
      const events = Array.from({ length: Math.min(500, last - first + 1) }, (_, index) => ({
        sequence: first + index,
        type: 'signal',
        occurred_at: new Date(Date.now() - 3_600_000 + (first + index) * 10).toISOString(),
        gadget_id,
        signal_id: 'bell',
      }))
      socket.send(JSON.stringify({ type: 'events', device_id, journal_id, events }))
    }
    socket.on('open', () => greet(socket, journal_id))
    socket.on('close', code => reject(new Error(`closed with ${code}`)))
    socket.on('message', data => {
      const message = JSON.parse(String(data))
      if (message.type === 'welcome') {
        begin = performance.now()
        last = message.acknowledged_sequence + count
        send(message.acknowledged_sequence + 1)
      }
      if (message.type !== 'ack') return
      if (message.sequence < last) return send(message.sequence + 1)
      resolve((performance.now() - begin) / 1000)
      socket.close()
    })
  })
}

process.on('message', async (ask: Ask) => {
  if (ask.type === 'connect') await connectAll(ask.url, ask.devices, ask.at_once)
  if (ask.type === 'upload') return process.send?.({ seconds: await upload(ask.url, ask.device, ask.events) })
  process.send?.({ applied, applied_at: appliedAt })
  if (ask.type === 'take') appliedAt = []
})
process.on('disconnect', () => process.exit())
