import './runtime.ts'

export { writeCheckpoint } from './audit/checkpoint.ts'
export { checkpointKey } from './audit/signing.ts'
export { type AuditOptions, type AuditReport, verifyAudit } from './audit/verify.ts'
export type { Break } from './audit/verify-chain.ts'
export { type Clock, systemClock } from './clock.ts'
export { type Config, readConfig } from './config.ts'
export type { Context } from './context.ts'
export { type DeliveryOptions, startDelivery } from './delivery/start.ts'
export type { GatewayOptions } from './devices/gateway.ts'
export { issuePass, type Pass, type PassWish } from './devices/passes.ts'
export { tickVirtualDevices } from './devices/virtual-schedules.ts'
export { openFeed } from './events/feed.ts'
export { accountRoutes } from './http/account/routes.ts'
export { cleanUp } from './jobs/clean-up.ts'
export { expireMembers } from './jobs/expire-members.ts'
export { purgeOrganizations } from './jobs/purge-organizations.ts'
export { type FillOptions, fillOrganization } from './load/fill.ts'
export { defaultQuotas, isQuotaName, type QuotaLimits } from './quotas/declared.ts'
export { loadSecretKeys, parseSecretKeys } from './secret-key.ts'
export { openContext, type Server, startServer } from './server.ts'
export { issueAccessToken } from './services/access-tokens.ts'
export { importCards, type RowError, type StockRow } from './services/card-stock.ts'
export { type Feature, setFeature } from './services/features.ts'
export { sendInvitations } from './services/guest-invitations.ts'
export { type Installation, listInstallations, listOrganizations } from './services/installations.ts'
export {
  addSecretKey,
  hasServerReadKeys,
  lockKeyFile,
  newSecretKey,
  outwaitStart,
  retireSecretKeys,
} from './services/key-file.ts'
export { countStale, type Rotation, rotateSecrets } from './services/key-rotation.ts'
export { createApplication, createOrganization, installApplication } from './services/organizations.ts'
export { announceKey, claimKeys, forgetOtherKeys } from './services/service-keys.ts'
export { findUserByEmail, listAllUsers, resetFactors, signOut } from './services/sign-out.ts'
export { StartError } from './start-error.ts'
export { connect, type Database, type Pool } from './store/db.ts'
export { findConnection, startEmbedded } from './store/embedded.ts'
export { migrate } from './store/migrate.ts'
