import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useAccount, useAccountRefresh } from '../data/use-account.ts'
import { useApi } from '../session/use-api.ts'
import { findPushState, findSubscription, nameBrowser, type PushState, subscribe } from './push.ts'

export interface Subscription {
  readonly id: string
  readonly name: string
  readonly public_key: string
  readonly created_at: string
  readonly last_success_at: string | null
}

export interface Subscriptions {
  readonly data: readonly Subscription[]
  readonly public_key: string | null
  readonly off_reason: string | null
}

const path = '/push_subscriptions'
const own_key = 'gatehouse-push-subscription'

export function useSubscriptions(enabled = true) {
  return useAccount<Subscriptions>(path, { enabled })
}

/** The id under which the service knows this browser, if it has ever been subscribed. */
export function ownId(): string | null {
  return localStorage.getItem(own_key)
}

/** What this browser can do, and how to change it. */
export function usePush() {
  const { account } = useApi()
  const queries = useQueryClient()
  const refresh = useAccountRefresh()
  const { data: state } = useQuery<PushState>({ queryKey: ['push'], queryFn: findPushState, retry: false })
  const settle = async () => {
    await Promise.all([queries.invalidateQueries({ queryKey: ['push'] }), refresh(path)])
  }
  return {
    state,
    own_id: ownId(),
    turnOn: (public_key: string) => register(account, public_key).finally(settle),
    async turnOff() {
      const id = ownId()
      await (await findSubscription())?.unsubscribe()
      if (id) await account('DELETE', `${path}/${id}`).catch(() => undefined)
      localStorage.removeItem(own_key)
      await settle()
    },
    async remove(id: string) {
      await account('DELETE', `${path}/${id}`)
      await settle()
    },
  }
}

type Account = ReturnType<typeof useApi>['account']

/** Subscribes this browser with the current key, and tells the service. */
export async function register(account: Account, public_key: string): Promise<void> {
  const { endpoint, keys } = (await subscribe(public_key)).toJSON()
  const before = ownId()
  const made = await account<Subscription>('POST', path, { endpoint, keys, name: nameBrowser() })
  localStorage.setItem(own_key, made.id)
  // What it was known as. It may be gone already.
  if (before && before !== made.id) await account('DELETE', `${path}/${before}`).catch(() => undefined)
}
