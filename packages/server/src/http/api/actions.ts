import type { ResourceKind, Resources } from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import { checkAccess, listGadgetsWithAccess, listMembersWithAccess } from '../../services/access/access.ts'
import { issueCredentials, revokeCredentials } from '../../services/access/device-credentials.ts'
import { executeAsMember, runGadgetAction } from '../../services/access/gadget-actions.ts'
import { simulateDevice } from '../../services/access/simulate.ts'
import { showSync } from '../../services/access/sync.ts'
import { showUses } from '../../services/access/uses.ts'
import {
  acknowledgeAlarm,
  acknowledgeAlarms,
  closeAlarm,
  reopenAlarm,
  snoozeAlarm,
} from '../../services/alarms/alarms.ts'
import { maintainDevice, maintainSite } from '../../services/alarms/maintenance.ts'
import { sendCode, verifyCode } from '../../services/alarms/prove-address.ts'
import { issueStreamTicket } from '../../services/applications/stream-tickets.ts'
import { replayEvents, retryDelivery, testWebhook } from '../../services/applications/webhook-deliveries.ts'
import { createBulkEdit } from '../../services/bulk/create-bulk-edit.ts'
import { importDays } from '../../services/calendars/import-days.ts'
import { previewSchedule } from '../../services/calendars/preview-schedule.ts'
import { refreshNow } from '../../services/calendars/refresh-now.ts'
import { listSiteDays } from '../../services/calendars/site-days.ts'
import { endNow } from '../../services/doors/emergencies.ts'
import { listEmergencyDoors } from '../../services/doors/emergency-doors.ts'
import { previewModes } from '../../services/doors/preview-modes.ts'
import { resetFireNow } from '../../services/doors/reset-fire.ts'
import { setMode } from '../../services/doors/set-mode.ts'
import {
  cancelErasure,
  createErasure,
  eraseMember,
  listErasureDevices,
} from '../../services/erasures/erasures.ts'
import { createExport } from '../../services/exports/create-export.ts'
import { createGrant } from '../../services/guests/grants.ts'
import { inviteGuest } from '../../services/guests/invitations.ts'
import { cancelJob, startJob, undoJob } from '../../services/job-actions.ts'
import { reportLost } from '../../services/members/lost-card.ts'
import { replaceCard } from '../../services/members/replace-card.ts'
import { revealMagicLink, revealMemberPin } from '../../services/members/reveals.ts'
import { listUnknownCards, showUnknownCard } from '../../services/members/unknown-cards.ts'
import type { ActionInput, InputOf } from '../../services/objects/action.ts'
import { listHistory } from '../../services/objects/history.ts'
import { setFloorPlan, showFloorPlan } from '../../services/places/floor-plans.ts'
import { showZone } from '../../services/places/sites.ts'
import { exportMember } from '../../services/privacy/data-export/export-member.ts'
import { previewPrivacy } from '../../services/privacy/preview.ts'
import { showRecord } from '../../services/privacy/record.ts'
import { showActivity } from '../../services/reports/activity.ts'
import { showUnused } from '../../services/reports/unused.ts'
import { testTarget } from '../../telling/sending/test-target.ts'

type ActionsOf<K extends ResourceKind> = NonNullable<Resources[K]['actions']>
type HandlersOf<K extends ResourceKind> = {
  readonly [Name in keyof ActionsOf<K> & string as `${K}.${Name}`]: (
    input: InputOf<K, Name>,
  ) => Promise<object>
}
type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Handlers by endpoint id. Each handler's input type comes from its declaration. */
type Declared = Partial<Intersection<{ [K in ResourceKind]: HandlersOf<K> }[ResourceKind]>> & {
  readonly 'export.create'?: typeof createExport
  readonly 'bulk.edit'?: typeof createBulkEdit
  readonly 'grant.create'?: typeof createGrant
  readonly 'access_check.create'?: typeof checkAccess
}

/** Handlers of the declared actions by endpoint id. A test compares this list with the declarations. */
export const actions = {
  'member.data_export': exportMember,
  'alarm.acknowledge': acknowledgeAlarm,
  'alarm.acknowledge_many': acknowledgeAlarms,
  'alarm.snooze': snoozeAlarm,
  'alarm.close': closeAlarm,
  'alarm.reopen': reopenAlarm,
  'notification_target.test': testTarget,
  'notification_target.send_code': sendCode,
  'notification_target.verify': verifyCode,
  'calendar.refresh': refreshNow,
  'calendar_day.import': importDays,
  'emergency.end': endNow,
  'gadget.mode': setMode,
  'device.maintenance': maintainDevice,
  'site.maintenance': maintainSite,
  'site.fire_reset': resetFireNow,
  'site.set_floor_plan': setFloorPlan,
  'job.cancel': cancelJob,
  'job.start': startJob,
  'job.undo': undoJob,
  'member_card.lost': reportLost,
  'member_card.replace': replaceCard,
  'member_magic_link.reveal': revealMagicLink,
  'member_pin.reveal': revealMemberPin,
  'device.issue_credentials': issueCredentials,
  'device.revoke_credentials': revokeCredentials,
  'device.simulate': simulateDevice,
  'export.create': createExport,
  'bulk.edit': createBulkEdit,
  'grant.create': createGrant,
  'erasure.create': createErasure,
  'erasure.cancel': cancelErasure,
  'member.erase': eraseMember,
  'member.invite': inviteGuest,
  'gadget.run_action': runGadgetAction,
  'gadget.execute_as_member': executeAsMember,
  'event.issue_stream_ticket': issueStreamTicket,
  'webhook.test': testWebhook,
  'webhook.replay': replayEvents,
  'webhook_delivery.retry': retryDelivery,
} satisfies Declared

/** Handlers of the declared queries by endpoint id. */
export const queries = {
  'access_check.create': checkAccess,
  'emergency.doors': listEmergencyDoors,
  'erasure.devices': listErasureDevices,
  'gadget.modes': previewModes,
  'gadget.access': listMembersWithAccess,
  'member.access': listGadgetsWithAccess,
  'member.history': listHistory,
  'member_group.history': listHistory,
  'schedule.history': listHistory,
  'site.history': listHistory,
  'device.history': listHistory,
  'gadget.history': listHistory,
  'member_group.uses': showUses,
  'schedule.uses': showUses,
  'site.uses': showUses,
  'device.unknown_cards': listUnknownCards,
  'device.uses': showUses,
  'event.unknown_card': showUnknownCard,
  'gadget.uses': showUses,
  'tag.uses': showUses,
  'member.sync': showSync,
  'organization.privacy_record': showRecord,
  'organization.privacy_preview': previewPrivacy,
  'organization.activity': showActivity,
  'organization.unused': showUnused,
  'schedule.preview': previewSchedule,
  'site.days': listSiteDays,
  'site.floor_plan': showFloorPlan,
  'site.zone': showZone,
} satisfies Declared

/** Returns the handler of an endpoint. Its input is built from the same declaration that types it. */
export function handlerOf(id: string): Handler | undefined {
  return handlers.get(id)
}

type Handler = (input: ActionInput) => Promise<Row>
const handlers = new Map<string, Handler>(Object.entries({ ...actions, ...queries }) as never)
