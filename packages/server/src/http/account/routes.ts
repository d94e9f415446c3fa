import type { FastifyInstance } from 'fastify'
import type { Service } from '../exchange.ts'
import * as applications from './applications.ts'
import * as deliveries from './deliveries.ts'
import * as organizations from './organizations.ts'
import * as user from './user.ts'
import { openVisit, type Visit } from './visit.ts'
import * as webhooks from './webhooks.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Handler = (visit: Visit) => Promise<object>

const organization = '/organizations/:organization_id'
const application = '/applications/:application_id'
const hooks = `${application}${organization}/webhooks`

/** What users do with their own account, with organizations as such, and with their applications. */
const table: readonly (readonly [Method, string, Handler])[] = [
  ['GET', '/session', user.getSession],
  ['PATCH', '/user', user.editUser],
  ['POST', '/password', user.setPassword],
  ['GET', '/sessions', user.getSessions],
  ['DELETE', '/sessions', user.deleteOtherSessions],
  ['DELETE', '/sessions/:session_id', user.deleteSession],
  ['GET', '/passkeys', user.getPasskeys],
  ['POST', '/passkeys/options', user.beginPasskey],
  ['POST', '/passkeys', user.createPasskey],
  ['DELETE', '/passkeys/:passkey_id', user.deletePasskey],

  ['GET', '/organizations', organizations.getOrganizations],
  ['POST', '/organizations', organizations.createOrganization],
  ['PATCH', organization, organizations.editOrganization],
  ['DELETE', organization, organizations.removeOrganization],
  ['POST', `${organization}/restore`, organizations.bringOrganizationBack],
  ['POST', `${organization}/leave`, organizations.leaveOrganization],
  ['POST', `${organization}/transfer`, organizations.transferOrganization],
  ['GET', `${organization}/users`, organizations.getUsers],
  ['PATCH', `${organization}/users/:user_id`, organizations.editRole],
  ['DELETE', `${organization}/users/:user_id`, organizations.deleteUser],
  ['GET', `${organization}/invitations`, organizations.getInvitations],
  ['POST', `${organization}/invitations`, organizations.createInvitation],
  ['DELETE', `${organization}/invitations/:invitation_id`, organizations.deleteInvitation],
  ['GET', `${organization}/installations`, organizations.getInstalledApplications],
  ['DELETE', `${organization}/installations/:application_id`, organizations.deleteInstallation],
  ['GET', '/invitations', organizations.getOwnInvitations],
  ['POST', '/invitations/:invitation_id/accept', organizations.acceptInvitation],
  ['POST', '/invitations/:invitation_id/decline', organizations.declineInvitation],

  ['GET', '/applications', applications.getApplications],
  ['POST', '/applications', applications.createApplication],
  ['GET', application, applications.getApplication],
  ['PATCH', application, applications.changeApplication],
  ['DELETE', application, applications.removeApplication],
  ['POST', `${application}/secret`, applications.renewSecret],
  ['GET', `${application}/installations`, applications.getInstallations],
  ['POST', `${application}/tokens`, applications.createDeveloperToken],
  ['GET', hooks, webhooks.getWebhooks],
  ['POST', hooks, webhooks.createWebhook],
  ['GET', `${hooks}/:webhook_id`, webhooks.getWebhook],
  ['PATCH', `${hooks}/:webhook_id`, webhooks.editWebhook],
  ['DELETE', `${hooks}/:webhook_id`, webhooks.deleteWebhook],
  ['POST', `${hooks}/:webhook_id/test`, deliveries.sendTest],
  ['POST', `${hooks}/:webhook_id/replay`, deliveries.replay],
  ['GET', `${hooks}/:webhook_id/deliveries`, deliveries.getDeliveries],
  ['GET', `${hooks}/:webhook_id/deliveries/:webhook_delivery_id`, deliveries.getDelivery],
  ['POST', `${hooks}/:webhook_id/deliveries/:webhook_delivery_id/retry`, deliveries.sendAgain],
]

export function addAccountRoutes(app: FastifyInstance, service: Service): void {
  for (const [method, path, handle] of table)
    app.route({
      method,
      url: `/account${path}`,
      handler: async (request, reply) => reply.send(await handle(await openVisit(service, request))),
    })
}
