import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import type { Address } from './address.ts'
import { ConnectionError } from './errors.ts'

const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const yes = 'S'.charCodeAt(0)

/** Encrypts a fresh connection as the address asks for it; answers the socket to go on with. */
export async function secure(socket: Socket, address: Address): Promise<Socket> {
  if (address.sslmode === 'disable' || address.sslmode === 'allow') return socket
  if (await offersTls(socket)) return encrypt(socket, address)
  if (address.sslmode === 'prefer') return socket
  throw new ConnectionError('NO_TLS', `the database offers no TLS, which sslmode=${address.sslmode} demands`)
}

async function offersTls(socket: Socket): Promise<boolean> {
  socket.write(request)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  // Anything behind the one byte was not sent by the database: it could not know yet what will be asked.
  if (answer.length !== 1)
    throw new ConnectionError('NO_TLS', 'the database answered too much when asked for TLS')
  return answer[0] === yes
}

async function encrypt(socket: Socket, address: Address): Promise<Socket> {
  const secured = connect(tlsOptions(socket, address))
  await once(secured, 'secureConnect')
  return secured
}

/** As libpq: `require` encrypts, and checks the authority when one is given; `verify-full` also checks the name. */
function tlsOptions(
  socket: Socket,
  { host, sslmode, authorities, certificate, key }: Address,
): ConnectionOptions {
  const checks = sslmode.startsWith('verify') || (sslmode === 'require' && authorities !== undefined)
  return {
    socket,
    rejectUnauthorized: checks,
    ...(isIP(host) ? { host } : { servername: host }),
    ...(authorities && { ca: authorities }),
    ...(certificate && { cert: certificate }),
    ...(key && { key }),
    ...(sslmode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}
