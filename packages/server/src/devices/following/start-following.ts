import { consume } from '../../events/consume.ts'
import type { ConsumerContext } from '../../events/consumer.ts'
import type { PolicyCache } from '../../policy/cache.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import { followDoors } from './follow-doors.ts'
import { type DoorsContext, VirtualDoors } from './virtual-doors.ts'

interface FollowingContext extends ConsumerContext, DoorsContext {
  readonly policies: PolicyCache
  readonly recovery: Pick<Recovery, 'is_on' | 'over'>
}

/** Starts to follow what happens at doors. A recovered service waits: its doors know better. */
export function startFollowing(context: FollowingContext): AsyncDisposable {
  const end = new AbortController()
  const virtual = new VirtualDoors(context)
  const begin = () => consume(context, followDoors(context, virtual), end.signal)
  const running = context.recovery.is_on ? context.recovery.over().then(begin) : begin()
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      if (!context.recovery.is_on) await running
      await virtual[Symbol.asyncDispose]()
    },
  }
}
