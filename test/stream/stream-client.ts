import { WebSocket } from 'ws'

export interface Message {
  readonly type: 'ready' | 'event' | 'error'
  readonly cursor?: string
  readonly event?: { readonly id: string; readonly verb: string; readonly [name: string]: unknown }
  readonly error?: { readonly type: string; readonly message: string }
}

/** A WebSocket that records its messages. */
export class StreamClient {
  readonly messages: Message[] = []
  readonly socket: WebSocket
  readonly closed: Promise<{ code: number; reason: string }>
  readonly opened: Promise<void>

  constructor(url: string, token?: string) {
    this.socket = new WebSocket(url.replace('http', 'ws'), {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
    this.socket.on('message', data => this.messages.push(JSON.parse(String(data))))
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('open', resolve)
      this.socket.once('error', reject)
    })
    this.opened.catch(() => undefined)
    this.closed = new Promise(resolve =>
      this.socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
    )
  }

  async subscribe(wish: object = {}): Promise<void> {
    await this.opened
    this.socket.send(JSON.stringify({ type: 'subscribe', ...wish }))
  }

  get events(): NonNullable<Message['event']>[] {
    return this.messages.flatMap(({ event }) => event ?? [])
  }

  get cursor(): string | undefined {
    return this.messages.findLast(({ cursor }) => cursor !== undefined)?.cursor
  }
}
