export * from './capabilities.ts'
export * from './closings.ts'
export { type FromDevice, type FromDeviceType, fromDevice } from './from-device.ts'
export { type FromService, type FromServiceType, fromService } from './from-service.ts'
export { type JournalEvent, type JournalEvents, type JournalEventType, journalEvent } from './journal.ts'
export * from './limits.ts'
export * from './pass.ts'
export * from './schema.ts'
export {
  mostRevoked,
  type PassKey,
  type SliceKind,
  type SliceMember,
  type SliceRemovals,
  type SliceRow,
  type SliceRows,
  sliceKinds,
} from './slice.ts'
