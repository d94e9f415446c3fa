import { deviceLimits } from '@gatehouse-access/api/device-protocol/limits'
import { WebSocket } from 'ws'
import type { Connect } from './transport.ts'

export interface ServiceAddress {
  readonly url: string
  readonly hardware_id: string
  readonly secret: string
}

/** Milliseconds. */
const handshake = 10_000

/** Connects over WebSocket. The secret is sent in a header, never in the URL. */
export function webSocketTo({ url, hardware_id, secret }: ServiceAddress): Connect {
  const address = connectAddress(url)
  const authorization = `Basic ${Buffer.from(`${hardware_id}:${secret}`).toString('base64')}`
  return handlers => {
    const socket = new WebSocket(address, {
      headers: { authorization },
      perMessageDeflate: false,
      maxPayload: deviceLimits.answer_bytes,
      handshakeTimeout: handshake,
    })
    let ended = false
    const end = (code: number, reason: string) => {
      if (ended) return
      ended = true
      handlers.close(code, reason)
    }
    socket.on('open', () => handlers.open())
    socket.on('message', data => ended || handlers.message(String(data)))
    socket.on('close', (code, reason) => end(code, reason.toString()))
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      end(response.statusCode === 401 ? 4401 : 1006, `the service responded with ${response.statusCode}`)
    })
    socket.on('error', error => end(1006, error.message))
    return {
      send: text => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text)
      },
      hold: isHeld => (isHeld ? socket.pause() : socket.resume()),
      close() {
        ended = true
        socket.terminate()
      },
    }
  }
}

/** The URL is the public http(s) URL of the service. The scheme and the path are derived here. */
export function connectAddress(url: string): string {
  const address = new URL(url)
  address.protocol = address.protocol === 'https:' || address.protocol === 'wss:' ? 'wss:' : 'ws:'
  address.pathname = `${address.pathname.replace(/\/$/, '')}/device/v1/connect`
  return address.href
}
