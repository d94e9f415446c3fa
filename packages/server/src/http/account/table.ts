import * as keys from './api-keys.ts'
import * as applications from './applications.ts'
import * as deliveries from './deliveries.ts'
import * as notifications from './notifications.ts'
import * as organizations from './organizations.ts'
import * as reports from './reports.ts'
import * as user from './user.ts'
import type { Visit } from './visit.ts'
import * as webhooks from './webhooks.ts'
import { getZones } from './zones.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Handler = (visit: Visit) => Promise<object>

const organization = '/organizations/:organization_id'
const application = '/applications/:application_id'
const subscription = '/push_subscriptions/:push_subscription_id'
const hooks = `${application}${organization}/webhooks`

/** Routes for users' own accounts, organizations and applications. */
export const accountTable: readonly (readonly [Method, string, Handler, about: string])[] = [
  [
    'GET',
    '/session',
    user.getSession,
    'the signed-in user, the sign-in method, the organizations with roles and what they require of the session (`refusal`), and the CSRF token; for administrators of the only organization of an installation also how its backups are (`backups`)',
  ],
  ['DELETE', '/session', user.endOwnSession, 'signs out'],
  ['PATCH', '/user', user.editUser, '`{name}`'],
  [
    'DELETE',
    '/user',
    user.deleteOwnUser,
    'deletes your own account; refused to a last owner and to developers with applications; recent sign-in',
  ],

  [
    'GET',
    '/push_subscriptions',
    notifications.getPushSubscriptions,
    'the browsers that get push messages, the `public_key` that browsers subscribe with, or why push is off (`off_reason`)',
  ],
  [
    'POST',
    '/push_subscriptions',
    notifications.createPushSubscription,
    '`{endpoint, keys: {p256dh, auth}, name}`: adds this browser, at most 10; one that is known begins anew',
  ],
  ['DELETE', subscription, notifications.deletePushSubscription, 'removes it'],
  [
    'POST',
    `${subscription}/test`,
    notifications.testPushSubscription,
    'sends a test message at once → what the push service answered, and `is_removed` if it no longer knows the browser',
  ],
  [
    'GET',
    '/notification_settings',
    notifications.getNotificationSettings,
    'how the user is told of alarms: `{channels, quiet, language}`',
  ],
  [
    'PATCH',
    '/notification_settings',
    notifications.editNotificationSettings,
    '`{channels?: {info?, warning?, critical?}, quiet?: {from, to, zone} or null, language?}`; channels are lists of `push` and `email`; critical alarms ignore quiet hours',
  ],

  [
    'GET',
    '/zones',
    getZones,
    'the time zones that sites can be in by the zone data of the service (`release`): each with its `offset` in seconds east of UTC and its `next` clock change',
  ],

  [
    'GET',
    '/organizations',
    organizations.getOrganizations,
    'the user’s organizations, with the role in each',
  ],
  [
    'POST',
    '/organizations',
    organizations.createOrganization,
    '`{name, template?}`; the template `hotel`, `office` or `gym` creates a test organization',
  ],
  [
    'PATCH',
    organization,
    organizations.editOrganization,
    '`{name?, logo?, requires_second_factor?}`; `logo`, shown at the top of its mails and guest page, is a data URL of a PNG, JPEG or WebP of at most 100 kB, or null; only owners, in a session with a second factor, can change the last',
  ],
  ['DELETE', organization, organizations.removeOrganization, 'deletes it; it can be restored for 30 days'],
  ['POST', `${organization}/restore`, organizations.bringOrganizationBack, 'restores it'],
  ['POST', `${organization}/leave`, organizations.leaveOrganization, 'leaves it; the last owner cannot'],
  [
    'POST',
    `${organization}/transfer`,
    organizations.transferOrganization,
    '`{user_id}` becomes owner, you administrator; recent sign-in',
  ],
  [
    'GET',
    `${organization}/users`,
    organizations.getUsers,
    'its users with their roles, and the sites that these are limited to (`site_ids`); for administrators also whether they have a second factor',
  ],
  [
    'PATCH',
    `${organization}/users/:user_id`,
    organizations.editRole,
    '`{role, site_ids?, keep_applications?}`; the roles `site_administrator`, `site_viewer`, `front_desk` and `installer` can be limited to some sites; a user who becomes a viewer loses their own applications that write, one who gets one of these four all of them, except those an owner keeps; `owner` needs a recent sign-in',
  ],
  [
    'GET',
    `${organization}/users/:user_id/applications`,
    organizations.getUserApplications,
    'the installed applications that this user develops, which end with the user',
  ],
  [
    'DELETE',
    `${organization}/users/:user_id`,
    organizations.deleteUser,
    "removes a user; `{keep_applications?}`: of the user's own applications, those an owner keeps stay installed and the others end (`ended_applications`); other applications the user authorized pass to the owners",
  ],
  [
    'POST',
    `${organization}/users/:user_id/sign_out`,
    organizations.signUserOut,
    "the user's earlier sessions are no longer valid for this organization",
  ],
  [
    'GET',
    `${organization}/weekly_report`,
    reports.getWeeklyReport,
    'whether you get a report of the last week by mail (`is_on`), and when the next one is sent (`next_at`)',
  ],
  [
    'PATCH',
    `${organization}/weekly_report`,
    reports.editWeeklyReport,
    '`{is_on, zone?}`: on Mondays at seven by the clock of `zone`, in your language; not for the roles that can be limited to some sites',
  ],
  ['GET', `${organization}/invitations`, organizations.getInvitations, 'open invitations'],
  [
    'POST',
    `${organization}/invitations`,
    organizations.createInvitation,
    '`{email, role, site_ids?}`; 14 days; `owner` needs a recent sign-in',
  ],
  ['DELETE', `${organization}/invitations/:invitation_id`, organizations.deleteInvitation, 'withdraws one'],
  [
    'GET',
    `${organization}/installations`,
    organizations.getInstalledApplications,
    'installed applications, since when, last used, and whether you authorized them (`is_own`)',
  ],
  [
    'DELETE',
    `${organization}/installations/:application_id`,
    organizations.deleteInstallation,
    "revokes an application's access: its tokens end and its webhooks are deleted; viewers can revoke what they authorized themselves",
  ],
  [
    'GET',
    `${organization}/api_keys`,
    keys.getApiKeys,
    'the API keys of the organization: `name`, `scopes`, the last characters (`hint`), who made them, when they end and were last used; administrators',
  ],
  [
    'POST',
    `${organization}/api_keys`,
    keys.createKey,
    '`{name, scopes, expires_at?}` → with `key`, shown only once; administrators, recent sign-in',
  ],
  [
    'DELETE',
    `${organization}/api_keys/:api_key_id`,
    keys.deleteKey,
    'revokes one: it is refused at once, and its webhooks are deleted; administrators',
  ],
  ['GET', '/invitations', organizations.getOwnInvitations, "the user's invitations"],
  ['POST', '/invitations/:invitation_id/accept', organizations.acceptInvitation, 'accepts one'],
  ['POST', '/invitations/:invitation_id/decline', organizations.declineInvitation, 'declines one'],

  ['GET', '/applications', applications.getApplications, "the user's applications"],
  [
    'POST',
    '/applications',
    applications.createApplication,
    '`{name, redirect_uris, is_public?, requires_pkce?}` → with `client_secret`, shown only once, which needs a recent sign-in',
  ],
  ['GET', application, applications.getApplication, 'one of them'],
  [
    'PATCH',
    application,
    applications.changeApplication,
    '`{name?, redirect_uris?, requires_pkce?, logo?}`; `logo` is a data URL of a PNG, JPEG or WebP; a new redirect URI needs a recent sign-in',
  ],
  ['DELETE', application, applications.removeApplication, 'deletes it; de-authorized everywhere'],
  [
    'POST',
    `${application}/secret`,
    applications.renewSecret,
    'creates a new secret and ends the old one; recent sign-in',
  ],
  [
    'GET',
    `${application}/installations`,
    applications.getInstallations,
    'organizations that installed it: scopes, since when, last used',
  ],
  [
    'POST',
    `${application}/tokens`,
    applications.createDeveloperToken,
    '`{organization_id}` of your test organization → an access token without the OAuth flow',
  ],
  [
    'POST',
    `${application}${organization}/installation`,
    applications.installApplication,
    '`{scopes}`: installs your application in your organization, without the consent page; administrators, recent sign-in',
  ],
  ['GET', hooks, webhooks.getWebhooks, "the application's webhooks in an organization"],
  ['POST', hooks, webhooks.createWebhook, 'creates one, as in the API'],
  ['GET', `${hooks}/:webhook_id`, webhooks.getWebhook, 'one of them'],
  ['PATCH', `${hooks}/:webhook_id`, webhooks.editWebhook, 'as in the API'],
  ['DELETE', `${hooks}/:webhook_id`, webhooks.deleteWebhook, 'deletes it'],
  ['POST', `${hooks}/:webhook_id/test`, deliveries.sendTest, 'sends a test event'],
  [
    'POST',
    `${hooks}/:webhook_id/replay`,
    deliveries.replay,
    '`{starts_at, ends_at?}`: sends the events of a time range again',
  ],
  ['GET', `${hooks}/:webhook_id/deliveries`, deliveries.getDeliveries, 'the delivery log, as in the API'],
  [
    'GET',
    `${hooks}/:webhook_id/deliveries/:webhook_delivery_id`,
    deliveries.getDelivery,
    'one delivery with its attempts and `payload`',
  ],
  [
    'POST',
    `${hooks}/:webhook_id/deliveries/:webhook_delivery_id/retry`,
    deliveries.sendAgain,
    'sends it again now',
  ],
]
