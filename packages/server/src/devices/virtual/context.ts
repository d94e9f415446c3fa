import type { Config } from '../../config/config.ts'
import type { Pool } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import type { Vault } from '../../vault/vault.ts'
import type { CommandBus } from '../commands/commands.ts'
import type { ZoneTables } from '../policy/overlay.ts'

export interface VirtualContext {
  readonly config: Config
  readonly clock: Clock
  readonly db: Pool
  readonly vault: Vault
  readonly commands: CommandBus
  readonly zones: ZoneTables
}
