import type { Command } from './command.ts'
import { alarms } from './commands/alarms.ts'
import { alarmsAck } from './commands/alarms-ack.ts'
import { applications } from './commands/applications.ts'
import { auditAcceptRestore } from './commands/audit-accept-restore.ts'
import { auditErase } from './commands/audit-erase.ts'
import { auditVerify } from './commands/audit-verify.ts'
import { backupKey } from './commands/backup-key.ts'
import { backupList } from './commands/backup-list.ts'
import { backupNow } from './commands/backup-now.ts'
import { backupPrune } from './commands/backup-prune.ts'
import { backupStatus } from './commands/backup-status.ts'
import { backupVerify } from './commands/backup-verify.ts'
import { calendarsImport } from './commands/calendars-import.ts'
import { cardsImport } from './commands/cards-import.ts'
import { completionOf } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { doors } from './commands/doors.ts'
import { emergencyEnd } from './commands/emergency-end.ts'
import { emergencyStart } from './commands/emergency-start.ts'
import { emergencyWatch } from './commands/emergency-watch.ts'
import { events } from './commands/events.ts'
import { exportList } from './commands/export.ts'
import { feature } from './commands/feature.ts'
import { importFile } from './commands/import.ts'
import { jobs } from './commands/jobs.ts'
import { jobsCancel, jobsUndo } from './commands/jobs-change.ts'
import { keypad } from './commands/keypad.ts'
import { keysRotate } from './commands/keys-rotate.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { mcp } from './commands/mcp.ts'
import { memberCommands } from './commands/members.ts'
import { migrateDatabase } from './commands/migrate.ts'
import { setDoorMode } from './commands/mode.ts'
import { openDoor } from './commands/open.ts'
import { organizationExport } from './commands/organization-export.ts'
import { organizationImport } from './commands/organization-import.ts'
import { organizations } from './commands/organizations.ts'
import { privacyErase } from './commands/privacy-erase.ts'
import { privacyExport } from './commands/privacy-export.ts'
import { privacyReport } from './commands/privacy-report.ts'
import { ready } from './commands/ready.ts'
import { restore } from './commands/restore.ts'
import { restoreConfirm } from './commands/restore-confirm.ts'
import { restoreMark } from './commands/restore-mark.ts'
import { restoreReview } from './commands/restore-review.ts'
import { schedulesPreview } from './commands/schedules-preview.ts'
import { seed } from './commands/seed.ts'
import { serve } from './commands/serve.ts'
import { serviceInstall, serviceStatus, serviceUninstall } from './commands/service.ts'
import { setUp } from './commands/set-up.ts'
import { simulate } from './commands/simulate.ts'
import { token } from './commands/token.ts'
import { upgrade } from './commands/upgrade.ts'
import { users } from './commands/users.ts'
import { usersFirstLink } from './commands/users-first-link.ts'
import { usersResetFactors } from './commands/users-reset-factors.ts'
import { usersSignOut } from './commands/users-sign-out.ts'
import { whoami } from './commands/whoami.ts'

export const commands: readonly Command[] = [
  serve,
  ready,
  token,
  organizations,
  applications,
  feature,
  users,
  usersFirstLink,
  usersSignOut,
  usersResetFactors,
  login,
  logout,
  whoami,
  events,
  openDoor,
  ...memberCommands,
  listen,
  mcp,
  seed,
  cardsImport,
  calendarsImport,
  schedulesPreview,
  doors,
  setDoorMode,
  privacyErase,
  privacyExport,
  privacyReport,
  emergencyStart,
  emergencyWatch,
  emergencyEnd,
  alarms,
  alarmsAck,
  importFile,
  jobs,
  jobsCancel,
  jobsUndo,
  exportList,
  keypad,
  simulate,
  keysRotate,
  auditVerify,
  auditErase,
  auditAcceptRestore,
  restoreReview,
  restoreConfirm,
  restoreMark,
  migrateDatabase,
  upgrade,
  setUp,
  doctor,
  serviceInstall,
  serviceUninstall,
  serviceStatus,
  backupKey,
  backupNow,
  backupList,
  backupStatus,
  backupVerify,
  backupPrune,
  restore,
  organizationExport,
  organizationImport,
  completionOf(() => commands),
]
