import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Where the impostor deviates from PostgreSQL. */
export interface Lies {
  /** Replaces everything else, as soon as a client connects. */
  greet?(socket: Socket): void
  /** Replaces the first authentication request. */
  ask?(socket: Socket): void
  /** Changes the SCRAM challenge. */
  challenge?(honest: string): string
  /** Returns what is sent after the client's proof, in place of the server's proof and what follows. */
  conclude?(proof: Buffer): Buffer
}

export interface Impostor extends AsyncDisposable {
  readonly url: string
  /** Returns true if the client accepted it as PostgreSQL and sent a request. */
  isBelieved(): boolean
}

const password = 'secret'

/** Speaks the PostgreSQL protocol up to the end of a SCRAM sign-in, except for the given lies. */
export async function openImpostor(lies: Lies): Promise<Impostor> {
  let isBelieved = false
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    void serve(socket, lies, () => {
      isBelieved = true
    }).catch(() => socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://ada:${password}@127.0.0.1:${port}/it`,
    isBelieved: () => isBelieved,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function serve(socket: Socket, lies: Lies, onBelieved: () => void): Promise<void> {
  if (lies.greet) return lies.greet(socket)
  const said = socket[Symbol.asyncIterator]()
  const hear = async () => ((await said.next()) as { value: Buffer }).value
  await hear()
  if (lies.ask) lies.ask(socket)
  else socket.write(signInBy(10, 'SCRAM-SHA-256\0\0'))
  const [, bare = ''] = /n,,(.*)$/.exec((await hear()).toString()) ?? []
  const honest = `${/r=.*/.exec(bare)?.[0]}${randomBytes(9).toString('hex')},s=${salt.toString('base64')},i=4096`
  const challenge = lies.challenge?.(honest) ?? honest
  socket.write(signInBy(11, challenge))
  const answer = (await hear()).subarray(5).toString()
  const proof = proveTo(`${bare},${challenge},${answer.replace(/,p=.*$/, '')}`)
  socket.write(lies.conclude?.(proof) ?? accept(proof))
  await hear()
  onBelieved()
  socket.destroy()
}

const salt = Buffer.from('salt of the sea')

function proveTo(signed: string): Buffer {
  const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256')
  return hmac(hmac(salted, 'Server Key'), signed)
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Returns the final messages of an honest server. */
export function accept(proof: Buffer): Buffer {
  return Buffer.concat([signInBy(12, `v=${proof.toString('base64')}`), letIn])
}

export function signInBy(kind: number, text = ''): Buffer {
  const number = Buffer.alloc(4)
  number.writeInt32BE(kind)
  return message('R', Buffer.concat([number, Buffer.from(text)]))
}

export function message(
  type: string,
  content: Buffer = Buffer.alloc(0),
  length = content.length + 4,
): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, content])
}

export const ready = message('Z', Buffer.from('I'))
export const letIn = Buffer.concat([signInBy(0), ready])

/** A proof made up without knowing the password. */
export const wrongProof = createHash('sha256').update('no idea').digest()
