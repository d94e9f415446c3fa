import type { Server, Socket } from 'node:net'

type Listener = (socket: Socket) => void
type Guide = (socket: Socket, enter: Listener) => void

/**
 * Every connection of a server passes here first. Connections wait until the gate is opened: a port below
 * 1024 is bound as root, and nothing may be answered before the process has become another user.
 */
export class ConnectionGate {
  readonly #sockets = new Set<Socket>()
  readonly #guide: Guide
  readonly #enter: Listener
  #isOpen = false

  /** `guide` may take a connection for itself; it calls `enter` with the others. */
  constructor(server: Server, guide: Guide = (socket, enter) => enter(socket)) {
    const inside = server.listeners('connection') as Listener[]
    this.#guide = guide
    this.#enter = socket => {
      for (const listener of inside) listener.call(server, socket)
    }
    server.removeAllListeners('connection')
    server.on('connection', socket => this.#arrive(socket))
  }

  open(): void {
    this.#isOpen = true
    for (const socket of this.#sockets) this.#guide(socket, this.#enter)
  }

  /** Also closes those that never became a request, such as a TLS handshake that stalls. */
  closeAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #arrive(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#isOpen) this.#guide(socket, this.#enter)
  }
}
