import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { post } from '../devices/main.ts'
import type { Service } from '../service.ts'
import type { Tenant } from '../tenant.ts'

/** What a target was sent. */
export interface Told {
  readonly at: number
  readonly body: { readonly reason?: string; readonly alarm_count?: number; readonly message?: string }
}

/** A receiver of messages about alarms. */
export async function openReceiver() {
  const told: Told[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Told['body']
    told.push({ at: performance.now(), body })
    response.writeHead(200).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Adds a rule that tells a receiver of alarms of a type. */
export async function addRule(service: Service, tenant: Tenant, url: string, rule: object): Promise<void> {
  const target = await post(service, { tenant }, '/notification_targets', { kind: 'http', url, secret })
  const notify = [{ notification_target_id: target }]
  await post(service, { tenant }, '/alarm_rules', { name: 'Rule', notify, ...rule })
}
