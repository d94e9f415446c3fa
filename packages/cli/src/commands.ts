import type { Command } from './command.ts'
import { applications } from './commands/applications.ts'
import { cardsImport } from './commands/cards-import.ts'
import { feature } from './commands/feature.ts'
import { keysRotate } from './commands/keys-rotate.ts'
import { migrateDatabase } from './commands/migrate.ts'
import { organizations } from './commands/organizations.ts'
import { seed } from './commands/seed.ts'
import { token } from './commands/token.ts'

export const commands: readonly Command[] = [
  token,
  organizations,
  applications,
  feature,
  seed,
  cardsImport,
  keysRotate,
  migrateDatabase,
]
