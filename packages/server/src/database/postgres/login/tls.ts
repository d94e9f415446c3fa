import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect, createSecureContext, type SecureContext } from 'node:tls'
import { ConnectionError, malformed } from '../wire/errors.ts'
import type { Address } from './address.ts'

const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const [yes, no] = ['S', 'N'].map(letter => letter.charCodeAt(0))

/** Encrypts a new connection as the address requires. Returns the socket to continue with. */
export async function secure(socket: Socket, address: Address): Promise<Socket> {
  if (address.sslmode === 'disable' || address.sslmode === 'allow') return socket
  if (await offersTls(socket)) return encrypt(socket, address)
  if (address.sslmode === 'prefer') return socket
  throw new ConnectionError(
    'NO_TLS',
    `the database does not offer TLS, which sslmode=${address.sslmode} requires`,
  )
}

async function offersTls(socket: Socket): Promise<boolean> {
  socket.write(request)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  // More than one byte means injected data: PostgreSQL sends nothing more until the client's next message.
  if (answer.length !== 1 || (answer[0] !== yes && answer[0] !== no))
    throw malformed('it answered neither yes nor no when asked for TLS')
  return answer[0] === yes
}

async function encrypt(socket: Socket, address: Address): Promise<Socket> {
  try {
    const secured = connect(tlsOptions(socket, address))
    // Stays attached after the handshake: with TLS 1.3 the server checks the client certificate only after
    // the client considers the handshake complete.
    secured.on('error', error => socket.destroy(explain(error, address)))
    await once(secured, 'secureConnect')
    return secured
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, address)
  }
}

/**
 * As in libpq: `require` encrypts, and verifies the certificate authority if one is given; `verify-full` also
 * verifies the host name.
 */
function tlsOptions(socket: Socket, address: Address): ConnectionOptions {
  const { host, sslmode, authorities } = address
  return {
    socket,
    secureContext: contextOf(address),
    rejectUnauthorized: sslmode.startsWith('verify') || (sslmode === 'require' && authorities !== undefined),
    ...(isIP(host) ? { host } : { servername: host }),
    ...(sslmode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

const contexts = new WeakMap<Address, SecureContext>()

/** Cached, because parsing hundreds of certificates is slow. */
function contextOf(address: Address): SecureContext {
  const { authorities: ca, certificate: cert, key } = address
  const context =
    contexts.get(address) ??
    createSecureContext({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) })
  contexts.set(address, context)
  return context
}

const unknownIssuer =
  /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|CERT_(UNTRUSTED|SIGNATURE))/

function explain(error: NodeJS.ErrnoException, { host, authorities }: Address): ConnectionError {
  const { code = 'TLS_FAILED', message } = error
  if (error instanceof ConnectionError) return error
  return new ConnectionError(code, describe(code, message, host, authorities !== undefined), error)
}

function describe(code: string, message: string, host: string, isNamed: boolean): string {
  if (unknownIssuer.test(code)) {
    const trusted = isNamed
      ? 'sslrootcert names'
      : 'is known here: name its file with sslrootcert, or sslrootcert=system'
    return `the certificate of the database was signed by no authority that ${trusted} (${message.split(';', 1)[0]})`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of the database is not for ${host}, which sslmode=verify-full requires (${message})`
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the database has expired'
  return `no TLS connection could be negotiated with the database (${message.trim()})`
}
