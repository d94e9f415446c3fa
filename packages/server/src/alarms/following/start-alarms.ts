import { consume } from '../../events/consume.ts'
import type { ConsumerContext } from '../../events/consumer.ts'
import type { Life } from '../../events/life.ts'
import { PresenceWatch } from '../presence-watch.ts'
import { followAlarms } from './follow-alarms.ts'

interface AlarmsContext extends ConsumerContext {
  readonly life: Life
  readonly recovery: { readonly is_on: boolean; over(): Promise<void> }
}

/** Starts to look for what goes wrong. A recovered service waits: what it knows of devices is old. */
export function startAlarms(context: AlarmsContext): AsyncDisposable {
  const end = new AbortController()
  let watch: PresenceWatch | undefined
  const begin = () => {
    if (end.signal.aborted) return Promise.resolve()
    watch = new PresenceWatch(context)
    return consume(context, followAlarms(context), end.signal)
  }
  const running = context.recovery.is_on ? context.recovery.over().then(begin) : begin()
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      await watch?.[Symbol.asyncDispose]()
      if (!context.recovery.is_on) await running
    },
  }
}
