import type { Scenario } from './scenarios.ts'

const oneRow = 'Answers or changes one row of the user or organization.'
const fewRows = 'What one user has of them is few, see the quotas, and short.'
const bySql = 'Statements; nothing of what they touch is read into the process.'
const asInTheApi = 'The very code of the endpoint of /v2.'

const organization = '/organizations/:organization_id'
const application = '/applications/:application_id'
const hooks = `${application}${organization}/webhooks`
const hook = `${hooks}/:webhook_id`

const get =
  (path: string): Exclude<Scenario, string> =>
  ({ organization_id, application_id }) => ({
    method: 'GET',
    path: `/account${path.replace(':organization_id', organization_id).replace(':application_id', application_id)}`,
    as_user: true as const,
  })

/**
 * Every route of `/account`. A new route must be added here, and tested with a caller that has the maximum of
 * its data.
 */
export const accountScenarios: Readonly<Record<string, Scenario>> = {
  'GET /session': get('/session'),
  'DELETE /session': oneRow,
  'PATCH /user': oneRow,
  'DELETE /user': bySql,
  'GET /push_subscriptions': fewRows,
  'POST /push_subscriptions': oneRow,
  'DELETE /push_subscriptions/:push_subscription_id': oneRow,
  'POST /push_subscriptions/:push_subscription_id/test': 'One message of at most 4 kB to one address.',
  'GET /notification_settings': oneRow,
  'PATCH /notification_settings': oneRow,
  'GET /zones': get('/zones'),
  'GET /organizations': get('/organizations'),
  'POST /organizations': 'One row, or a template of fixed size.',
  [`PATCH ${organization}`]: 'One row with a small picture.',
  [`DELETE ${organization}`]: bySql,
  [`POST ${organization}/restore`]: bySql,
  [`POST ${organization}/leave`]: bySql,
  [`POST ${organization}/transfer`]: oneRow,
  [`GET ${organization}/users`]: get(`${organization}/users`),
  [`PATCH ${organization}/users/:user_id`]: 'One row, and at most as many applications as a user develops.',
  [`GET ${organization}/users/:user_id/applications`]: fewRows,
  [`GET ${organization}/weekly_report`]: oneRow,
  [`PATCH ${organization}/weekly_report`]: oneRow,
  [`DELETE ${organization}/users/:user_id`]: 'One row, and at most as many applications as a user develops.',
  [`POST ${organization}/users/:user_id/sign_out`]: oneRow,
  [`GET ${organization}/invitations`]: get(`${organization}/invitations`),
  [`POST ${organization}/invitations`]: oneRow,
  [`DELETE ${organization}/invitations/:invitation_id`]: oneRow,
  [`GET ${organization}/installations`]: get(`${organization}/installations`),
  [`DELETE ${organization}/installations/:application_id`]: bySql,
  [`GET ${organization}/api_keys`]: 'At most 100 short rows.',
  [`POST ${organization}/api_keys`]: oneRow,
  [`DELETE ${organization}/api_keys/:api_key_id`]: bySql,
  'GET /invitations': get('/invitations'),
  'POST /invitations/:invitation_id/accept': oneRow,
  'POST /invitations/:invitation_id/decline': oneRow,
  'GET /applications': get('/applications'),
  'POST /applications': oneRow,
  [`GET ${application}`]: get(application),
  [`PATCH ${application}`]: 'One row with at most 50 addresses and a small picture.',
  [`DELETE ${application}`]: bySql,
  [`POST ${application}/secret`]: oneRow,
  [`GET ${application}/installations`]: get(`${application}/installations`),
  [`POST ${application}/tokens`]: oneRow,
  [`POST ${application}${organization}/installation`]: oneRow,
  [`GET ${hooks}`]: asInTheApi,
  [`POST ${hooks}`]: asInTheApi,
  [`GET ${hook}`]: asInTheApi,
  [`PATCH ${hook}`]: asInTheApi,
  [`DELETE ${hook}`]: asInTheApi,
  [`POST ${hook}/test`]: asInTheApi,
  [`POST ${hook}/replay`]: asInTheApi,
  [`GET ${hook}/deliveries`]: asInTheApi,
  [`GET ${hook}/deliveries/:webhook_delivery_id`]: asInTheApi,
  [`POST ${hook}/deliveries/:webhook_delivery_id/retry`]: asInTheApi,
}
