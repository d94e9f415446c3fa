import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** The network between a controller and the service. A test can cut it. */
export interface Cable extends AsyncDisposable {
  readonly url: string
  cut(): void
  mend(): void
}

export async function layCable(to: string): Promise<Cable> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(near => {
    if (isCut) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      cutAll()
    },
    mend() {
      isCut = false
    },
    async [Symbol.asyncDispose]() {
      cutAll()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
