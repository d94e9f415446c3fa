import { endpoints, invalid, resources } from '@gatehouse-access/api'
import type { FastifyInstance } from 'fastify'
import { present } from '../../flow/present.ts'
import { openJobFile } from '../../services/job-files.ts'
import { authenticate, requireScope } from '../api/authenticate.ts'
import { openExchange, type Service, targetOf, workOf } from '../api/exchange.ts'
import { readPath } from '../api/steps.ts'
import { pathOf, queryOf } from '../kit/path-and-query.ts'
import { sendFile } from '../kit/send-file.ts'

/** Callers that can see a job can fetch its files. */
const asGet = present(
  endpoints.find(({ id }) => id === 'job.get'),
  'the endpoint of a job',
)
/** In plain reads. Its chunks are read one by one, as the client takes them. */
const weight = 2

/** Sends a file of a job, decrypted chunk by chunk. */
export function addJobFiles(app: FastifyInstance, service: Service, path: string): void {
  app.get(`${path}/:job_id/files/:name`, async (request, reply) => {
    const exchange = openExchange(service, asGet, request, reply)
    await authenticate(exchange)
    requireScope(exchange)
    readPath(exchange)
    const again = readAgain(queryOf(request))
    const { caller } = exchange
    const { job_id = '', name = '' } = pathOf(request)
    const target = { ...targetOf(asGet, caller, exchange.ids), resource: resources.job }
    const { file, chunks } = await service.turnstile.run('ordinary', caller.organization_id, weight, () =>
      openJobFile(workOf(exchange, service.context.db), target, job_id, name, again),
    )
    return sendFile(reply, file, chunks)
  })
}

function readAgain({ again = 'false', ...rest }: ReturnType<typeof queryOf>): boolean {
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw invalid(unknown, `${unknown} is not a parameter here; again is`)
  if (again !== 'true' && again !== 'false') throw invalid('again', 'again must be true or false')
  return again === 'true'
}
