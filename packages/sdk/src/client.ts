import { endpoints } from '@gatehouse-access/api'
import { calledOf } from './called.ts'
import { type ClientOptions, clientOver } from './client-over.ts'
import type { Client } from './surface.ts'

/** Creates a client of one organization. Its methods are generated from the declared endpoints. */
export function createClient(options: ClientOptions): Client {
  return clientOver(endpoints.map(calledOf), options)
}
