import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
// @ts-expect-error: has no types
import * as ece from 'http_ece'

/** A browser with its own keys at a push service of this machine. */
export interface PushService extends AsyncDisposable {
  status: number
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[]
  /** Makes a browser. `read` decrypts what was sent to it, with a library that the service does not encrypt with. */
  browser(): Browser
}

export interface Browser {
  readonly subscription: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  read(body: Buffer): Record<string, unknown>
}

export async function openPushService(): Promise<PushService> {
  const received: PushService['received'] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) })
    response.writeHead(service.status).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service: PushService = {
    status: 201,
    received,
    browser: () => makeBrowser(url),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return service
}

function makeBrowser(url: string): Browser {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  return {
    subscription: {
      endpoint: `${url}/push/${randomBytes(16).toString('base64url')}`,
      keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    read(body) {
      const plain: Buffer = ece.decrypt(body, { version: 'aes128gcm', privateKey: pair, authSecret: auth })
      return JSON.parse(plain.toString('utf8'))
    },
  }
}
