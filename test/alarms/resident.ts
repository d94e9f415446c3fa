import { createHash } from 'node:crypto'
import { WebSocket } from 'ws'
import { backoff } from '../../packages/edge/src/backoff.ts'
import type { DeviceOptions } from '../devices/scripted-device.ts'

/** Milliseconds between two pings. */
const heartbeat = 15_000

/**
 * A controller as far as its connection goes: it confirms what it is sent, pings, and comes back by itself with the
 * pauses of a controller. Hundreds of them fit into a process, because none of them polls.
 */
export class Resident implements Disposable {
  readonly #options: DeviceOptions
  #socket: WebSocket | undefined
  #timer: NodeJS.Timeout | undefined
  #attempt = 0
  #isSilent = false
  #isEnded = false
  is_welcome = false
  /** When it last sent something, in milliseconds since the epoch. */
  spoke_at = 0

  constructor(options: DeviceOptions) {
    this.#options = options
    this.#connect()
  }

  /** Says nothing more and hears nothing more, as when a cable is cut: nobody is told. Returns since when. */
  fallSilent(): number {
    this.#isSilent = true
    clearInterval(this.#timer)
    this.#socket?.pause()
    return this.spoke_at
  }

  [Symbol.dispose](): void {
    this.#isEnded = true
    clearInterval(this.#timer)
    this.#socket?.terminate()
  }

  #connect(): void {
    const { url, hardware_id, secret } = this.#options
    const authorization = `Basic ${Buffer.from(`${hardware_id}:${secret}`).toString('base64')}`
    const socket = new WebSocket(`${url.replace('http', 'ws')}/device/v1/connect`, {
      headers: { authorization },
    })
    this.#socket = socket
    let hash = createHash('sha256')
    socket.on('open', () =>
      this.#send({ type: 'hello', protocol: 1, journal: { id: `j-${hardware_id}`, last_sequence: 0 } }),
    )
    // What went wrong is told by the close that follows.
    socket.on('error', () => undefined)
    socket.on('close', code => this.#comeBack(code))
    socket.on('message', data => {
      const frame = String(data)
      const { type, version, to, device_id } = JSON.parse(frame)
      if (type === 'welcome') this.#settle()
      if (type === 'snapshot_begin') hash = createHash('sha256')
      if (type.startsWith('snapshot_')) hash.update(frame)
      const confirm = (version: number, hash: string) =>
        this.#send({ type: 'applied', device_id, version, hash })
      if (type === 'snapshot_end') confirm(version, hash.digest('hex'))
      if (type === 'delta') confirm(to, createHash('sha256').update(frame).digest('hex'))
    })
  }

  #settle(): void {
    this.is_welcome = true
    this.#attempt = 0
    clearInterval(this.#timer)
    this.#timer = setInterval(
      () => this.#send({ type: 'ping', sent_at: new Date().toISOString() }),
      heartbeat,
    )
  }

  #send(message: object): void {
    if (this.#isSilent) return
    this.#socket?.send(JSON.stringify(message))
    this.spoke_at = Date.now()
  }

  #comeBack(code: number): void {
    this.is_welcome = false
    clearInterval(this.#timer)
    if (this.#isEnded || this.#isSilent) return
    setTimeout(() => this.#isEnded || this.#connect(), backoff(this.#attempt++, code, Math.random())).unref()
  }
}
