import { once } from 'node:events'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { type Server, type ServerOptions, startServer } from '@gatehouse-access/server'
import type { World } from '@gatehouse-access/testkit'

type Config = Server['context']['config']

export const name = 'gatehouse.example.com'

/** Starts a process that ends TLS itself, on the database of a world. */
export function startTls(
  w: World,
  tls: NonNullable<Config['tls']>,
  more: Partial<Config> = {},
  options: ServerOptions = {},
): Promise<Server> {
  const config = { ...w.server.context.config, public_url: `https://${name}`, port: 0, tls, ...more }
  return startServer(config, { clock: w.clock, jobs: false, delivery: false, ...options })
}

/** Opens a connection as a browser does that trusts only this authority. */
export async function dial(url: string, ca: string, more: object = {}): Promise<TLSSocket> {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', servername: name, ca, ...more })
  await once(socket, 'secureConnect')
  return socket
}

/** Returns the certificate that new connections get. */
export async function shown(url: string, ca: string): Promise<PeerCertificate> {
  const socket = await dial(url, ca)
  const certificate = socket.getPeerCertificate()
  socket.destroy()
  return certificate
}

/** Sends a request on an open connection, and returns the head and body of the response. */
export async function ask(socket: TLSSocket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${name}\r\n\r\n`)
  let text = ''
  while (!/\r\n\r\n./s.test(text)) text += String((await once(socket, 'data'))[0])
  return text
}
