import type { Service } from '../service.ts'
import type { Tenant } from '../tenant.ts'

const filter = [{ object_type: 'member' }]

/**
 * Creates a webhook per receiver. Disposal deletes them, so that retries do not disturb the next measurement.
 */
export async function subscribe(
  service: Service,
  tenant: Tenant,
  urls: readonly string[],
): Promise<AsyncDisposable> {
  const headers = { ...(await tenant.headers()), 'content-type': 'application/json' }
  const ask = async (method: string, path: string, body?: string) => {
    const init = { method, headers, ...(body !== undefined && { body }) }
    const answer = await fetch(`${service.url}/v2/webhooks${path}`, init)
    if (!answer.ok) throw new Error(`${method} of a webhook was answered with ${answer.status}`)
    return (await answer.json()) as { id: string }
  }
  const ids: string[] = []
  for (const url of urls) ids.push((await ask('POST', '', JSON.stringify({ url, filter }))).id)
  return {
    async [Symbol.asyncDispose]() {
      for (const id of ids) await ask('DELETE', `/${id}`)
    },
  }
}
