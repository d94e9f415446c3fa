import type { Service } from '../service.ts'
import type { Tenant } from '../tenant.ts'

const filter = [{ object_type: 'member' }]

/** A webhook for each receiver. */
export async function subscribe(service: Service, tenant: Tenant, urls: readonly string[]): Promise<void> {
  const headers = { ...(await tenant.headers()), 'content-type': 'application/json' }
  for (const url of urls)
    await fetch(`${service.url}/v2/webhooks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url, filter }),
    })
}
