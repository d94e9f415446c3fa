export type { AccessMethod } from '@gatehouse-access/core'
export * from './derive/bodies.ts'
export * from './derive/expands.ts'
export * from './derive/filters.ts'
export * from './derive/list-query.ts'
export * from './derive/match.ts'
export * from './derive/openapi.ts'
export * from './derive/policy.ts'
export * from './derive/policy-kinds.ts'
export * from './device-protocol/index.ts'
export * from './endpoints.ts'
export * from './errors.ts'
export * from './imports/index.ts'
export * from './kit/compounds.ts'
export * from './kit/expand.ts'
export * from './kit/field.ts'
export * from './kit/local-date.ts'
export * from './kit/personal.ts'
export * from './kit/resource.ts'
export * from './kit/scalars.ts'
export * from './kit/type.ts'
export * from './member-api/endpoints.ts'
export { memberOpenApi } from './member-api/openapi.ts'
export type { GuestDataExport, GuestGadget, GuestSite, Home, MailDelivery, Who } from './member-api/shapes.ts'
export * from './prefixes.ts'
export * from './resources/access.ts'
export { type AcknowledgedAlarms, alarmStates, mostAcknowledged, mostQuietDays } from './resources/alarm.ts'
export {
  type AlarmRecipient,
  type AlarmTargets,
  type AlarmThresholds,
  type EscalationStep,
  mostRecipients,
} from './resources/alarm-rule.ts'
export {
  type BulkBody,
  type BulkChange,
  type BulkEditBody,
  type BulkOperation,
  type BulkResult,
  type bulkEditParts,
  bulkParts,
} from './resources/bulk.ts'
export { mostNamed, mostOperations } from './resources/bulk-limits.ts'
export { type RefreshError, refreshErrors } from './resources/calendar.ts'
export { type ImportBody, type ImportedDays, recurrences } from './resources/calendar-day.ts'
export { type CalendarSource, type HolidayKind, holidayKinds } from './resources/calendar-source.ts'
export { type FieldChange, mostChanges } from './resources/change.ts'
export { type DoorTemplate, doorTemplates } from './resources/door-templates.ts'
export { emergencyDoorStates } from './resources/emergency.ts'
export { type EmergencyTargetsValue, mostDoors } from './resources/emergency-plan.ts'
export {
  type ErasureCounts,
  erasedEvents,
  erasureReasons,
  erasureStages,
  erasureStates,
  noneErased,
  type WaitingDevice,
} from './resources/erasure.ts'
export * from './resources/event.ts'
export * from './resources/export.ts'
export { firstAlarmRule } from './resources/first-alarm-rule.ts'
export { largestFloorPlan } from './resources/floor-plan.ts'
export { type Door, namedByDoor } from './resources/gadget-door.ts'
export {
  type GadgetMode,
  type ModeBody,
  type ModesOfGadget,
  mostEmergencies,
} from './resources/gadget-mode.ts'
export * from './resources/grant.ts'
export { largestIcs } from './resources/ics-text.ts'
export * from './resources/index.ts'
export * from './resources/job.ts'
export { type GuestLanguage, guestLanguages, nearestGuestLanguage } from './resources/member.ts'
export type { MemberDataJob } from './resources/member-data.ts'
export type { PermissionRule } from './resources/member-group.ts'
export {
  type NotificationAttempt,
  notificationChannels,
  notificationReasons,
  notificationStatuses,
} from './resources/notification.ts'
export { type TestedTarget, targetKinds } from './resources/notification-target.ts'
export { longestPreview, type SchedulePreview, type SiteDays } from './resources/preview.ts'
export {
  noPrivacy,
  type PeriodName,
  type Periods,
  type PrivacyPending,
  periodNames,
} from './resources/privacy.ts'
export {
  mostPreviewed,
  type PrivacyPreview,
  type PrivacyRecord,
  type Purpose,
  purposes,
  type RecordEntry,
} from './resources/privacy-record.ts'
export { type Capabilities, capabilitiesOf, catalogue } from './resources/product.ts'
export {
  type Activity,
  longestReport,
  mostEntries,
  mostReported,
  reportedCredentials,
  type Unused,
} from './resources/reports.ts'
export {
  type SimulateBody,
  type SimulatedFault,
  type Simulation,
  simulatedFaults,
} from './resources/simulation.ts'
export type { SiteFireValue } from './resources/site-fire.ts'
export type { MemberSync, SyncItem } from './resources/sync.ts'
export { mostTags, type Taggable, taggable } from './resources/tag.ts'
export { mostUnknownCards, type UnknownCard, unknownCardDays } from './resources/unknown-card.ts'
export { mostUsing } from './resources/uses.ts'
export { type FilterRule, longestReplay, ruleConditions } from './resources/webhook.ts'
export { type Attempt, attemptErrors, deliveryStatuses } from './resources/webhook-delivery.ts'
export type { SiteZone } from './resources/zone.ts'
export * from './scopes.ts'
export * from './site-roles.ts'
