import { useEffect } from 'react'
import { useApi } from '../session/use-api.ts'
import { findPushState, findSubscription, isFor } from './push.ts'
import { ownId, register, type Subscriptions, useSubscriptions } from './use-push.ts'

/**
 * At every visit, subscribes anew if the key of the service has changed: such as after a restore, when messages
 * with the old one no longer arrive, and nothing would tell.
 */
export function useKeptPush(): void {
  const { account } = useApi()
  const { data } = useSubscriptions(ownId() !== null)
  useEffect(() => {
    if (data) void renew(account, data).catch(() => undefined)
  }, [account, data])
}

async function renew(account: ReturnType<typeof useApi>['account'], known: Subscriptions): Promise<void> {
  const { public_key, data } = known
  if (!public_key || (await findPushState()) !== 'on') return
  const held = await findSubscription()
  const told = data.find(({ id }) => id === ownId())
  // The page may have been closed between subscribing and telling the service.
  if (held && (!isFor(held, public_key) || told?.public_key !== public_key))
    await register(account, public_key)
}
