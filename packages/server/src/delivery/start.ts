import { sealEvents } from '../audit/seal.ts'
import { consume } from '../events/consume.ts'
import type { Resolve } from '../outbound/dialer.ts'
import { openNames } from '../outbound/names.ts'
import { targetsOf } from '../outbound/targets.ts'
import type { DeliveryContext } from './webhooks/context.ts'
import { Dispatcher } from './webhooks/dispatcher.ts'
import { fanOut, type Queued } from './webhooks/fan-out.ts'

export interface DeliveryOptions {
  /** Resolves receiver names. Defaults to a resolver with the machine's configuration. */
  readonly resolve?: Resolve | undefined
  /** Name servers to query, with their ports. Defaults to those of the machine. */
  readonly name_servers?: readonly string[] | undefined
}

/**
 * Starts the background consumers of the feed: webhooks and the audit chain. While the service is recovered,
 * nothing is sent, and nothing new is queued.
 */
export function startDelivery(context: DeliveryContext, options: DeliveryOptions = {}): AsyncDisposable {
  const end = new AbortController()
  context.life.start()
  const sealing = consume(context, sealEvents(context), end.signal)
  let sending: AsyncDisposable | undefined
  const begin = () => {
    if (!end.signal.aborted) sending = startSending(context, options)
  }
  if (context.recovery.is_on) void context.recovery.over().then(begin)
  else begin()
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      await Promise.all([sealing, sending?.[Symbol.asyncDispose]()])
    },
  }
}

function startSending(
  context: DeliveryContext,
  { name_servers, resolve = openNames({ servers: name_servers }) }: DeliveryOptions,
): AsyncDisposable {
  const end = new AbortController()
  const dispatcher = new Dispatcher(context, { targets: targetsOf(context.config), resolve })
  // Wakes lanes of this process directly. Notifies all processes only if some lanes are elsewhere.
  const queued: Queued = (ids, bodies) => {
    if (!dispatcher.wake(ids, bodies)) context.deliveries.notify()
  }
  const running = consume(context, fanOut(context, queued), end.signal)
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      await running
      await dispatcher[Symbol.asyncDispose]()
    },
  }
}
