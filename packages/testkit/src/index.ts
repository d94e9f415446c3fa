export { openAccess } from './access.ts'
export { Chance } from './chance.ts'
export { ManualClock } from './clock.ts'
export {
  administer,
  cloneDatabase,
  newDatabase,
  type TestDatabase,
  type TestDatabases,
  withDatabase,
} from './database.ts'
export { holdChanges, holdMembers, holdTables } from './hold.ts'
export { type NameServer, nameServer } from './name-server.ts'
export { quickest } from './quickest.ts'
export { type Received, type Receiver, type Respond, receiver } from './receiver.ts'
export { seed } from './seed.ts'
export {
  compiled,
  copyFiles,
  type DataFolder,
  type Exit,
  findFreePort,
  findPostmaster,
  launchService,
  makeDataFolder,
  makeEmptyFolder,
  type Service,
  type ServiceOptions,
  startService,
} from './service.ts'
export { slowness } from './slowness.ts'
export { isSoak, manyOr, soak, within } from './soak.ts'
export { ManualTimers } from './timers.ts'
export { type Tenant, type World, type WorldOptions, world } from './world.ts'
