import type { Config } from '../../config/config.ts'
import { connectionsOf } from '../connections.ts'
import type { ConnectionOptions } from '../postgres/login/address.ts'
import { findConnection } from './embedded.ts'

type Needs = Pick<Config, 'data_dir' | 'database_url' | 'database_direct_url'>

/** Returns the way to the database for what holds locks or a snapshot over many statements, which no pooler of transactions keeps. */
export function connectionFor(config: Needs): ConnectionOptions {
  return connectionsOf(config)?.direct ?? findConnection(config.data_dir)
}
