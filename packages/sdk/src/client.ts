import { type Endpoint, endpoints, type Resource, resourceOf } from '@gatehouse-access/api'
import { bulkOver } from './bulk.ts'
import { readCall } from './call.ts'
import { type StreamOptions, streamEvents } from './event-stream.ts'
import { createImport, fetchJobFile, type ImportFile, type ImportWish } from './imports.ts'
import { iteratePages, type Page } from './pages.ts'
import { createSender, type Send, type SenderOptions } from './send.ts'
import type { Client } from './surface.ts'
import { waitForJob } from './wait-for-job.ts'

export type ClientOptions = SenderOptions

type Method = (...given: unknown[]) => unknown

/** Creates a client of one organization. Its methods are generated from the declared endpoints. */
export function createClient(options: ClientOptions): Client {
  const send = createSender(options)
  const client: Record<string, Record<string, Method>> = {}
  for (const endpoint of endpoints) {
    const { group, name } = placeOf(endpoint)
    client[group] = { ...client[group], ...methodsOf(send, endpoint, name) }
  }
  Object.assign(client, { bulk: Object.assign(bulkOver(send), client.bulk) })
  client.events = { ...client.events, stream: wish => streamEvents(options, wish as StreamOptions) }
  client.jobs = {
    ...client.jobs,
    wait: waitForJob(client),
    file: (id, name, wish) => fetchJobFile(options, String(id), String(name), wish as { again?: boolean }),
  }
  client.imports = { create: (file, wish) => createImport(options, file as ImportFile, wish as ImportWish) }
  return client as unknown as Client
}

/** Maps `member_pin.reveal` to `client.member_pins.reveal`. */
export function placeOf({ id }: Endpoint): { group: string; name: string } {
  const [kind, name] = id.split('.') as [string, string]
  const resource = resourceOf(kind) as Resource | undefined
  if (kind === 'bulk') return { group: kind, name }
  return { group: resource?.singleton ? kind : (resource?.plural ?? `${kind}s`), name }
}

function methodsOf(send: Send, endpoint: Endpoint, name: string): Record<string, Method> {
  const call: Method = (...given) => send(readCall(endpoint, given))
  return endpoint.verb === 'list' ? { [name]: call, all: allOf(send, endpoint) } : { [name]: call }
}

function allOf(send: Send, endpoint: Endpoint): Method {
  const largest = 100
  return (...given) => {
    const { query, ...call } = readCall(endpoint, given)
    return iteratePages(
      cursor =>
        send({ ...call, query: { limit: largest, ...query, ...(cursor && { cursor }) } }) as Promise<
          Page<unknown>
        >,
    )
  }
}
