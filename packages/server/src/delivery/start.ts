import { sealEvents } from '../audit/seal.ts'
import type { Context } from '../context.ts'
import { consume } from '../events/consumer.ts'
import { isLoopback } from '../loopback.ts'
import type { Resolve } from './webhooks/dialer.ts'
import { Dispatcher } from './webhooks/dispatcher.ts'
import { fanOut, type Queued } from './webhooks/fan-out.ts'

export interface DeliveryOptions {
  /** How names of receivers are resolved; the resolver of the machine when left out. */
  readonly resolve?: Resolve | undefined
}

/** Everything that follows the feed in the background: webhooks, and the audit chain. */
export function startDelivery(context: Context, { resolve }: DeliveryOptions = {}): AsyncDisposable {
  const end = new AbortController()
  const { webhook_allow, host, public_url } = context.config
  const loopback = isLoopback(host) && isLoopback(new URL(public_url).hostname.replace(/^\[|\]$/g, ''))
  const dispatcher = new Dispatcher(context, {
    targets: { allow: webhook_allow, loopback },
    ...(resolve && { resolve }),
  })
  // Lanes of our own are woken directly; only for others is the bell rung, in every process.
  const queued: Queued = (ids, bodies) => {
    if (!dispatcher.wake(ids, bodies)) context.deliveries.ring()
  }
  const consumers = [fanOut(context, queued), sealEvents(context)]
  const running = consumers.map(consumer => consume(context, consumer, end.signal))
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      await Promise.all(running)
      await dispatcher[Symbol.asyncDispose]()
    },
  }
}
