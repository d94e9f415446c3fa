import './start/runtime.ts'

export { acceptRestore } from './audit/accept-restore.ts'
export { writeCheckpoint } from './audit/checkpoint.ts'
export { eraseEvent } from './audit/erase.ts'
export { deriveAuditKey } from './audit/keys.ts'
export type { Break } from './audit/verify/report.ts'
export { type AuditOptions, type AuditReport, verifyAudit } from './audit/verify/verify.ts'
export { BackupError } from './backup/archive/backup-error.ts'
export { DamagedError } from './backup/archive/damaged-error.ts'
export type { BackupKind, Manifest } from './backup/archive/manifest.ts'
export { makeRecoveryKey, parseRecoveryKey, recoveryKeyId } from './backup/archive/recovery-key.ts'
export type { Keys } from './backup/archive/wrapped-keys.ts'
export { Backups, type BackupTimes } from './backup/backups.ts'
export { listBackups, listPieces } from './backup/folder/backup-folder.ts'
export { findRanges } from './backup/folder/coverage.ts'
export { Hook } from './backup/folder/hook.ts'
export { readPublicKey, writePublicKey } from './backup/folder/public-key.ts'
export { makeBackup } from './backup/make-backup.ts'
export { fullPace } from './backup/physical/pace.ts'
export { planRemoval, pruneBackups } from './backup/prune.ts'
export { choosePoint, type Point, pointOfBackup } from './backup/restore/choose-point.ts'
export { restoreLogically } from './backup/restore/restore-logical.ts'
export { type RestoreOptions, restorePhysically } from './backup/restore/restore-physical.ts'
export { missingForBackups } from './backup/start.ts'
export { type BackupStatus, type ListEntry, listEntries, readStatus } from './backup/status.ts'
export { runDrill } from './backup/verify/drill.ts'
export { type Verified, verifyFolder } from './backup/verify/verify-folder.ts'
export { type Config, readConfig } from './config/config.ts'
export { program_dir } from './config/place.ts'
export { defaultQuotas, isQuotaName, type QuotaLimits } from './config/quotas.ts'
export { loadSecretKeys, parseSecretKeys } from './config/secret-key.ts'
export { StartError } from './config/start-error.ts'
export { connectionsOf } from './database/connections.ts'
export { connect, type Database, type Effect, type Pool } from './database/db.ts'
export { findBinaries } from './database/embedded/binaries.ts'
export { findConnection, startEmbedded } from './database/embedded/embedded.ts'
export { type DeliveryOptions, startDelivery } from './delivery/start.ts'
export type { GatewayOptions } from './devices/gateway/gateway.ts'
export { issuePass, type Pass, type PassWish } from './devices/policy/passes.ts'
export { closeVirtualDoors, tickVirtualDevices } from './devices/virtual/schedules.ts'
export { openFeed } from './events/feed.ts'
export { type Clock, systemClock } from './flow/clock.ts'
export type { Timers } from './flow/timers.ts'
export { accountRoutes } from './http/account/routes.ts'
export type { AppOptions } from './http/app.ts'
export { cleanUp } from './jobs/clean-up.ts'
export { discardImports } from './jobs/discard-imports.ts'
export { expireMembers } from './jobs/expire-members.ts'
export { purgeOrganizations } from './jobs/purge-organizations.ts'
export { jobs } from './jobs/run-jobs.ts'
export { checkMailServer, openMailer } from './mail/mailer.ts'
export { AbsenceLog } from './monitoring/absence-log.ts'
export type { About } from './moving/about.ts'
export { exportOrganization } from './moving/export.ts'
export { type Imported, importOrganization } from './moving/import.ts'
export { isLoopback } from './network/loopback.ts'
export { type InstanceAlarm, listInstanceAlarms } from './operator/instance-alarm.ts'
export { vapidSubject } from './push/vapid-subject.ts'
export { type Confirmed, confirmRestore } from './recovery/confirm.ts'
export { hasLedger } from './recovery/ledger/ledger-file.ts'
export { beginLedger, noteErasure, writeLedger } from './recovery/ledger/write-ledger.ts'
export { type Mark, markRecovered } from './recovery/mark.ts'
export { LedgerMissing } from './recovery/open-ledger.ts'
export { findOpenRestore } from './recovery/restores.ts'
export { type Review, reviewRestore } from './recovery/review.ts'
export { hasUsers, makeFirstLink } from './services/accounts/first-owner.ts'
export { issueAccessToken } from './services/applications/access-tokens.ts'
export {
  type Installation,
  listInstallations,
  listOrganizations,
} from './services/applications/installations.ts'
export { sendInvitations } from './services/guests/invitations.ts'
export {
  addSecretKey,
  hasServerReadKeys,
  lockKeyFile,
  newSecretKey,
  outwaitStart,
  retireSecretKeys,
} from './services/keys/key-file.ts'
export { countStale, type Rotation, rotateSecrets } from './services/keys/key-rotation.ts'
export { announceKey, claimKeys, findKeyFault, forgetOtherKeys } from './services/keys/service-keys.ts'
export { importCards, type RowError, type StockRow } from './services/members/card-stock.ts'
export type { Context } from './services/objects/context.ts'
export { type Feature, setFeature } from './services/organizations/features.ts'
export {
  createApplication,
  createOrganization,
  installApplication,
} from './services/organizations/organizations.ts'
export {
  findUserByEmail,
  listAllUsers,
  resetFactors,
  signOut,
} from './services/organizations/user-administration.ts'
export { serve } from './start/serve.ts'
export { openContext, type Server, type ServerOptions, startServer } from './start/server.ts'
export { compareSchema, migrate } from './store/migration/migrate.ts'
export { type Trial, tryMigrations } from './store/migration/try-migrations.ts'
export { type FillOptions, fillOrganization } from './test-data/fill.ts'
export { openVault, type Vault } from './vault/vault.ts'
export { usedZones } from './zones/last-tables.ts'
export { openZones } from './zones/open-zones.ts'
export { settleZones } from './zones/settle-zones.ts'
export type { ZoneData } from './zones/zone-data.ts'
