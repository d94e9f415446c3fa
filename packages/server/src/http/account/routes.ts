import type { FastifyInstance } from 'fastify'
import { jsonOf } from '../../flow/write-json.ts'
import { requireAdmission, requireStrength } from '../../services/accounts/admission.ts'
import type { Service } from '../api/exchange.ts'
import { refuseWhenRecovered } from '../kit/recovered.ts'
import { refuseInLane } from '../kit/storage.ts'
import type { LaneName } from '../turnstile/turnstile.ts'
import { accountTable, type Method } from './table.ts'
import { openVisit, type Visit } from './visit.ts'

export function addAccountRoutes(app: FastifyInstance, service: Service): void {
  for (const [method, path, handle] of accountTable)
    app.route({
      method,
      url: `/account${path}`,
      handler: async (request, reply) => {
        const visit = await openVisit(service, request, reply)
        const lane = laneOf(method, path)
        if (method !== 'GET' && path !== '/session') refuseWhenRecovered(service.context)
        if (method !== 'GET') refuseInLane(service.context, lane, request.id)
        // Counted by user: it is not verified yet that the organization in the path is one of the user's.
        const answer = await service.turnstile.run(lane, visit.session.user_id, 2, async () => {
          await admit(visit, path)
          return handle(visit)
        })
        const text = await jsonOf(visit.session.user_id, answer)
        return reply.type('application/json; charset=utf-8').send(text)
      },
    })
}

function laneOf(method: Method, path: string): LaneName {
  return method === 'DELETE' || /\/(sign_out|leave|secret)$/.test(path) ? 'revocation' : 'ordinary'
}

/** Runs before every handler, so that no route in the table can omit the check. */
async function admit({ context, session, ids }: Visit, path: string): Promise<void> {
  if (path.startsWith('/applications')) requireStrength(context, session)
  const { organization_id } = ids
  if (organization_id) await requireAdmission(context, context.db, session, organization_id)
}

/** All routes, for callers that must cover every one. */
export const accountRoutes = accountTable.map(([method, path]) => ({ method, path }))

/** Renders the routes as a Markdown table. */
export function describeAccountRoutes(): string {
  const rows = accountTable.map(([method, path, , about]) => {
    const readable = path.replace(/:(\w+)/g, '{$1}')
    return `| \`${method} /account${readable}\` | ${about} |`
  })
  return `| Method and path | What it does |\n|---|---|\n${rows.join('\n')}\n`
}
