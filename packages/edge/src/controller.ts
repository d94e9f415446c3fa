/**
 * The decision logic at the door, without disk, network or broker. The service runs its virtual devices with
 * it.
 */
export { type Anchor, EdgeClock, type Moment } from './clock.ts'
export { Commands, type Outcome } from './commands.ts'
export type { Driven, Driver, Inputs, Order, PowerStatus } from './drivers/driver.ts'
export { type HardwareFault, hardwareFaults, SimulatedDriver, slowness } from './drivers/simulated.ts'
export { KeypadInput } from './keypad-input.ts'
export { type Log, type Platform, silentLog } from './platform.ts'
export { keyedHash } from './policy/keyed-hash.ts'
export { compileSmall, type EdgePolicy, SlicePolicy } from './policy/slice-policy.ts'
export { type EventDraft, Recorder } from './recorder.ts'
export { type Forwarded, Station, type StationParts } from './station.ts'
export { MemoryDisk, openMemoryStorage } from './storage/memory-storage.ts'
export type { Change, Notes, PolicyHead, Storage, Stored } from './storage/storage.ts'
