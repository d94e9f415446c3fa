import { RequestError, type Resources, resources } from '@gatehouse-access/api'
import { findApplication } from '../../services/applications/applications.ts'
import { isInstalled } from '../../services/applications/installations.ts'
import type { Work } from '../../services/objects/context.ts'
import {
  createObject,
  deleteObject,
  editObject,
  getObject,
  type Target,
} from '../../services/objects/objects.ts'
import { findLiving } from '../../store/find.ts'
import { userCaller } from '../browser/user-caller.ts'
import { bodyOf } from '../kit/body.ts'
import { idOf } from '../kit/path-and-query.ts'
import type { Visit } from './visit.ts'

/**
 * Webhooks belong to an application, so its developer manages them here, in each organization that installed
 * it. Their events record the developer as subject.
 */
export async function enter(visit: Visit): Promise<{ work: Work; target: Target<Resources['webhook']> }> {
  const { context, request, session, ids } = visit
  const { db } = context
  const application = await findApplication(db, session.user_id, idOf({ ids }, 'application_id'))
  const organization_id = idOf({ ids }, 'organization_id')
  if (!(await isInstalled(db, organization_id, application.id)))
    throw new RequestError('not_found', 'the application is not installed in an organization with this id')
  const oauth_application_id = application.id
  const caller = { ...userCaller(request, session, organization_id), oauth_application_id }
  const reach = { organization_id, oauth_application_id }
  return {
    work: { context, db, caller, now: context.clock.now() },
    target: { resource: resources.webhook, reach },
  }
}

export async function getWebhooks(visit: Visit): Promise<object> {
  const { work, target } = await enter(visit)
  return { data: await findLiving(work.db, target.resource, target.reach) }
}

export async function getWebhook(visit: Visit): Promise<object> {
  const { work, target } = await enter(visit)
  return getObject(work, target, idOf(visit, 'webhook_id'))
}

export async function createWebhook(visit: Visit): Promise<object> {
  const { work, target } = await enter(visit)
  const webhook = await createObject(work, target, () => bodyOf(visit.request))
  return webhook
}

export async function editWebhook(visit: Visit): Promise<object> {
  const { work, target } = await enter(visit)
  const webhook = await editObject(work, target, idOf(visit, 'webhook_id'), () => bodyOf(visit.request))
  return webhook
}

export async function deleteWebhook(visit: Visit): Promise<object> {
  const { work, target } = await enter(visit)
  const webhook = await deleteObject(work, target, idOf(visit, 'webhook_id'))
  return webhook
}
