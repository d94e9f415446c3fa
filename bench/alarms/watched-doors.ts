import { createClient } from '../../packages/sdk/src/index.ts'
import type { Service } from '../service.ts'
import type { Tenant } from '../tenant.ts'

/** Milliseconds for which a late exit sensor is waited for. */
export const grace = 2000

const named = (...ids: string[]) => ids.map(id => ({ id, name: id }))

/** A door with a contact, whose alarms are therefore watched for. */
export const gate = {
  actions: named('open'),
  states: named('closed', 'open'),
  door: { release_action_id: 'open', open_state_id: 'open', closed_state_id: 'closed' },
}

/**
 * Follows the stream, over an hour with another token. `arrived` grows: when new alarms of each door came, in
 * milliseconds.
 */
export async function listen(service: Service, tenant: Tenant) {
  const arrived = new Map<string, number[]>()
  const end = new AbortController()
  const ready = Promise.withResolvers<void>()
  const token = async () => (await tenant.headers()).authorization?.replace('Bearer ', '') ?? ''
  const stream = createClient({ base_url: `${service.url}/v2`, token }).events.stream({
    filter: [{ object_type: 'alarm' }],
    onReady: () => ready.resolve(),
    signal: end.signal,
  })
  const following = (async () => {
    for await (const { event } of stream) {
      const id = event.object.gadget_id
      if (event.verb === 'create' && id) arrived.set(id, [...(arrived.get(id) ?? []), performance.now()])
    }
  })()
  await Promise.race([ready.promise, following])
  return {
    arrived,
    async [Symbol.asyncDispose]() {
      end.abort()
      await following
    },
  }
}
