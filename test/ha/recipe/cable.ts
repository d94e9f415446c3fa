import { createServer, connect as dial, type Socket } from 'node:net'

/** One place of a machine that others reach, and where it really is. */
export interface Plug {
  readonly host: string
  readonly port: number
  readonly to: { readonly host: string; readonly port: number }
}

/** The network cable of a machine. Everything from and to it passes here. */
export class Cable implements AsyncDisposable {
  readonly #sockets = new Set<Socket>()
  readonly #servers: ReturnType<typeof createServer>[] = []
  #isCut = false

  static async plugIn(plugs: readonly Plug[]): Promise<Cable> {
    const cable = new Cable()
    for (const plug of plugs) await cable.#open(plug)
    return cable
  }

  /** From now on nothing passes, and nobody is told: packets vanish, as with a switch that lost power. */
  cut(): void {
    this.#isCut = true
  }

  /** Connections from before stay dead. */
  mend(): void {
    this.#isCut = false
    for (const socket of this.#sockets) socket.destroy()
  }

  #open({ host, port, to }: Plug): Promise<void> {
    const server = createServer(near => {
      this.#keep(near)
      if (this.#isCut) return void near.resume()
      this.#splice(near, this.#keep(dial({ ...to, noDelay: true })))
    })
    this.#servers.push(server)
    return new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket.setNoDelay().on('error', () => {}))
    return socket.on('close', () => this.#sockets.delete(socket))
  }

  #splice(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', chunk => void (this.#isCut || to.write(chunk)))
      from.on('close', () => void (this.#isCut || to.destroy()))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(this.#servers.map(server => new Promise(resolve => server.close(resolve))))
  }
}
