import { sealEvents } from '../audit/seal.ts'
import { consume } from '../events/consume.ts'
import type { Resolve } from '../outbound/dialer.ts'
import { openNames } from '../outbound/names.ts'
import { targetsOf } from '../outbound/targets.ts'
import type { DeliveryContext } from './webhooks/context.ts'
import { Dispatcher } from './webhooks/dispatcher.ts'
import { fanOut, type Queued } from './webhooks/fan-out.ts'

export interface DeliveryOptions {
  /** How names of receivers are resolved; the resolver of the machine when left out. */
  readonly resolve?: Resolve | undefined
  /** The name servers that are asked, with their ports; those of the machine when left out. */
  readonly name_servers?: readonly string[] | undefined
}

/** Everything that follows the feed in the background: webhooks, and the audit chain. */
export function startDelivery(
  context: DeliveryContext,
  { name_servers, resolve = openNames({ servers: name_servers }) }: DeliveryOptions = {},
): AsyncDisposable {
  const end = new AbortController()
  context.life.start()
  const dispatcher = new Dispatcher(context, { targets: targetsOf(context.config), resolve })
  // Lanes of our own are woken directly; only others are notified, in every process.
  const queued: Queued = (ids, bodies) => {
    if (!dispatcher.wake(ids, bodies)) context.deliveries.notify()
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
