import type { WebSocket } from 'ws'

/** The transport to a device or gateway. */
export interface Link {
  send(frame: string): void
  /** Waits without a timeout for room in the socket. Returns false if the connection ends first. */
  sendAndWait(frame: string): Promise<boolean>
  /** Stops reading from the device until `resume`. */
  pause(): void
  resume(): void
  close(code: number, reason: string): void
}

/** Bytes buffered in the socket before the device counts as too slow, and before a snapshot waits. */
const mostBuffered = 16 * 1024 * 1024
const highWater = 128 * 1024

export function webSocketLink(socket: WebSocket, onTooSlow: () => void): Link {
  return {
    send(frame) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > mostBuffered) onTooSlow()
      else socket.send(frame)
    },
    sendAndWait(frame) {
      if (socket.readyState !== socket.OPEN) return Promise.resolve(false)
      if (socket.bufferedAmount < highWater) {
        socket.send(frame)
        return Promise.resolve(true)
      }
      return new Promise(resolve => socket.send(frame, error => resolve(!error)))
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close(code, reason) {
      socket.resume()
      socket.close(code, reason)
      setTimeout(() => socket.terminate(), 5000).unref()
    },
  }
}
