import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What an impostor does other than PostgreSQL would. */
export interface Lies {
  /** Instead of all else, as soon as somebody comes. */
  greet?(socket: Socket): void
  /** In place of the first question. */
  ask?(socket: Socket): void
  /** Of the challenge. */
  challenge?(honest: string): string
  /** Sent when the client has proved itself, in place of our own proof and what follows. */
  conclude?(proof: Buffer): Buffer
}

export interface Impostor extends AsyncDisposable {
  readonly url: string
  /** Whether the client took it for PostgreSQL, so far that it asked for something. */
  isBelieved(): boolean
}

const password = 'secret'

/** Something that speaks as PostgreSQL does up to the end of a sign-in by SCRAM, but for what it lies about. */
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

/** What an honest server ends with. */
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

/** As a stranger would make it up. */
export const wrongProof = createHash('sha256').update('no idea').digest()
