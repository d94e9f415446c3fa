import { bulkOver } from './bulk.ts'
import { readCall } from './call.ts'
import type { Called } from './called.ts'
import { type StreamOptions, streamEvents } from './event-stream.ts'
import { createImport, fetchJobFile, type ImportFile, type ImportWish } from './imports.ts'
import { iteratePages, type Page } from './pages.ts'
import { createSender, type Send, type SenderOptions } from './send.ts'
import type { Client } from './surface.ts'
import { waitForJob } from './wait-for-job.ts'

export type ClientOptions = SenderOptions

type Method = (...given: unknown[]) => unknown

/** Creates a client whose methods are those of the given endpoints. */
export function clientOver(endpoints: readonly Called[], options: ClientOptions): Client {
  const send = createSender(options)
  const client: Record<string, Record<string, Method>> = {}
  for (const endpoint of endpoints) {
    const { group } = endpoint
    client[group] = { ...client[group], ...methodsOf(send, endpoint) }
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

function methodsOf(send: Send, endpoint: Called): Record<string, Method> {
  const call: Method = (...given) => send(readCall(endpoint, given))
  const own = { [endpoint.name]: call }
  return endpoint.is_list ? { ...own, all: allOf(send, endpoint) } : own
}

function allOf(send: Send, endpoint: Called): Method {
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
