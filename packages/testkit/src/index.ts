export { ManualClock } from './clock.ts'
export { administer, cloneDatabase, type TestDatabase, type TestDatabases, withDatabase } from './database.ts'
export { type Tenant, type World, type WorldOptions, world } from './world.ts'
