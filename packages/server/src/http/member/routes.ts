import { memberEndpoints, memberOpenApi, RequestError } from '@gatehouse-access/api'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { present } from '../../flow/present.ts'
import { jsonOf } from '../../flow/write-json.ts'
import { networkOf } from '../../network/networks.ts'
import type { Context } from '../../services/objects/context.ts'
import { findSignedLogo } from '../../services/organizations/logos.ts'
import { type Picture, Pictures } from '../../services/places/pictures.ts'
import { openOwnFile } from '../../services/privacy/data-export/own-export.ts'
import { laneOf } from '../api/weigh.ts'
import { serveDocument } from '../kit/api-document.ts'
import { pathOf, queryOf } from '../kit/path-and-query.ts'
import { refuseWhenRecovered } from '../kit/recovered.ts'
import { sendFile } from '../kit/send-file.ts'
import { refuseInLane } from '../kit/storage.ts'
import type { Turnstile } from '../turnstile/turnstile.ts'
import { memberHandlers } from './handlers.ts'
import { type GuestService, guestWork, type MemberVisit, openGuestService, openMemberVisit } from './visit.ts'

export const memberPath = '/member/v1'

/** Requests cost more than a plain read because they evaluate a policy. */
const memberWeight = 4

/** Adds a route for each declared endpoint of the member API, its OpenAPI document, the pictures of sites and the logos. */
export function addMemberRoutes(app: FastifyInstance, context: Context, turnstile: Turnstile): void {
  const service = openGuestService(context, turnstile)
  for (const endpoint of memberEndpoints) {
    const handle = memberHandlers[endpoint.id]
    if (!handle) throw new Error(`member endpoint ${endpoint.id} has no handler`)
    const labels = { endpoint: `member.${endpoint.id}` }
    app.route({
      method: endpoint.method,
      url: memberPath + endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const visit = (await openMemberVisit(service, endpoint, request, reply)) as MemberVisit
        const lane = visit.guest ? laneOf(endpoint) : 'page'
        if (endpoint.method !== 'GET') refuseWhenRecovered(context)
        if (endpoint.method !== 'GET') refuseInLane(context, 'page', request.id)
        const tenant = visit.guest?.organization_id ?? networkOf(request.ip)
        const answer = await turnstile.run(lane, tenant, memberWeight, async () => handle(visit))
        return reply.type('application/json; charset=utf-8').send(await jsonOf(tenant, answer))
      },
      onResponse: (_request, reply, done) => {
        context.metrics.count('gatehouse_requests_total', { ...labels, status: String(reply.statusCode) })
        context.metrics.observe('gatehouse_request_seconds', labels, reply.elapsedTime / 1000)
        done()
      },
    })
  }
  serveDocument(app, `${memberPath}/openapi.json`, context.config.public_url, url =>
    memberOpenApi(url + memberPath),
  )
  addPictures(app, context)
  addDataFiles(app, service, turnstile)
}

/** Whoever can ask how far the export is can fetch its files. */
const asGet = present(
  memberEndpoints.find(({ id }) => id === 'data_export.get'),
  'the endpoint of the own data',
)

/** Sends a file with the data of the member, decrypted chunk by chunk as the phone takes it. */
function addDataFiles(app: FastifyInstance, service: GuestService, turnstile: Turnstile): void {
  app.get(`${memberPath}${asGet.path}/files/:name`, async (request, reply) => {
    const visit = (await openMemberVisit(service, asGet, request, reply)) as MemberVisit
    const { guest } = visit
    refuseWhenRecovered(service.context)
    const { file, chunks } = await turnstile.run('ordinary', guest.organization_id, memberWeight, () =>
      openOwnFile(guestWork(visit, guest), guest, pathOf(request).name ?? ''),
    )
    return sendFile(reply, file, chunks)
  })
}

/** An img element sends no token, so the signature in the URL authorizes the request. */
function addPictures(app: FastifyInstance, context: Context): void {
  const pictures = new Pictures(context)
  app.addHook('onClose', () => pictures[Symbol.asyncDispose]())
  app.get(`${memberPath}/pictures/:organization_id/:site_id`, async (request, reply) => {
    const { organization_id = '', site_id = '' } = pathOf(request)
    const { v } = queryOf(request)
    return sendPicture(reply, await pictures.find(organization_id, site_id, String(v)))
  })
  app.get(`${memberPath}/logos/:organization_id`, async (request, reply) => {
    const { organization_id = '' } = pathOf(request)
    return sendPicture(reply, await findSignedLogo(context, organization_id, String(queryOf(request).v)))
  })
}

function sendPicture(reply: FastifyReply, picture: Picture | undefined): FastifyReply {
  if (!picture) throw new RequestError('not_found', 'this picture does not exist')
  return reply
    .type(picture.type)
    .headers({
      'cache-control': 'private, max-age=86400, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(picture.bytes)
}
