import { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import {
  endpoints,
  exportFormats,
  exportSort,
  invalid,
  type ListQuery,
  parseListQuery,
  type Query,
  RequestError,
  type Resource,
  readableExpands,
} from '@gatehouse-access/api'
import type { FastifyInstance } from 'fastify'
import { present } from '../../flow/present.ts'
import { findLiving, nameHolder } from '../../services/applications/stream-holders.ts'
import type { ExportPlan } from '../../services/exports/export-plan.ts'
import { readExportPage } from '../../services/exports/read-page.ts'
import { RowWriter } from '../../services/exports/row-writer.ts'
import { findAsked } from '../../services/objects/find-asked.ts'
import type { Caller } from '../../store/caller.ts'
import { authenticate, hasSiteRole, outsideRole, requireScope } from '../api/authenticate.ts'
import { openExchange, type Service } from '../api/exchange.ts'
import { exportWeight } from '../api/weigh.ts'
import { queryOf } from '../kit/path-and-query.ts'
import { isOverload } from '../turnstile/turnstile.ts'

const mostAttempts = 100
const mediaTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' }

/** Streams all objects that match the filters of a list, page by page, to bound memory use. Callers that can list them can export them, except front desks. */
export function addExport(app: FastifyInstance, service: Service, path: string, resource: Resource): void {
  const asList = present(
    endpoints.find(({ id }) => id === `${resource.kind}.list`),
    'the list of an export',
  )
  app.get(path, async (request, reply) => {
    const exchange = openExchange(service, asList, request, reply)
    await authenticate(exchange)
    requireScope(exchange)
    if (hasSiteRole(exchange.caller)) throw outsideRole()
    const { format, ...rest } = queryOf(request)
    if (format !== 'csv' && format !== 'ndjson')
      throw invalid('format', `format must be one of ${exportFormats.join(', ')}`)
    const asked = parseExportQuery(resource, rest)
    const { caller } = exchange
    const found = await findAsked(service.context.db, service.context, caller, asked)
    const query = { ...found, expand: readableExpands(caller.scopes, resource, asked.expand) }
    const plan: ExportPlan = { resource, query, columns: undefined, format }
    const lines = writeLines(service, caller, plan)
    // The first page is read before the answer begins, so that a wrong query still gets its 400.
    const first = await lines.next()
    const stream = Readable.from(continued(first.value ?? [''], lines))
    return reply
      .headers({ 'content-disposition': `attachment; filename="${resource.plural}.${format}"` })
      .type(mediaTypes[format])
      .send(stream)
  })
}

async function* writeLines(
  service: Service,
  caller: Caller,
  plan: ExportPlan,
): AsyncGenerator<readonly string[], void, undefined> {
  const { context, turnstile } = service
  const { organization_id, oauth_application_id } = caller
  const reach = { organization_id, oauth_application_id }
  let writer: RowWriter | undefined
  let cursor: string | undefined
  const readPage = () =>
    turnstile.run('ordinary', organization_id, exportWeight, async () => {
      const page = await context.reader.read(async db => {
        writer ??= await RowWriter.open(db, plan, reach)
        return readExportPage({ db, context }, plan, reach, writer, cursor)
      })
      await requireHolder(service, caller)
      return page
    })
  for (;;) {
    const isFirst = cursor === undefined
    const { pieces, cursor_next } = await (isFirst ? readPage() : patiently(readPage))
    yield isFirst ? [writer?.head ?? '', ...pieces] : pieces
    cursor = cursor_next
    if (cursor === undefined) return
  }
}

/** Checks the token or session after each page is read. If it has ended, throws, so the page is not sent. */
async function requireHolder(service: Service, caller: Caller): Promise<void> {
  const { token_hash, user_id, organization_id } = caller
  if (!token_hash) throw ended()
  const name = nameHolder(user_id === undefined ? { token_hash } : { token_hash, organization_id })
  if (!(await findLiving(service, [name])).has(name)) throw ended()
}

function ended(): RequestError {
  return new RequestError('unauthenticated', 'the token or session ended while the export ran')
}

/** A response that has started can no longer be refused, so its later pages retry until they get a turn. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (attempt === mostAttempts || !isOverload(error)) throw error
      await sleep(200 + Math.random() * 300)
    }
  }
}

/** Parses the query like the list's, but oldest first by default and without pagination. */
function parseExportQuery(resource: Resource, given: Query): ListQuery {
  for (const name of ['cursor', 'limit'])
    if (given[name] !== undefined) throw invalid(name, `an export has no pages: leave ${name} out`)
  return parseListQuery(resource, { sort: `${exportSort(resource)}:asc`, ...given })
}

async function* continued(first: readonly string[], rest: AsyncIterable<readonly string[]>) {
  yield* inTurns(first)
  for await (const pieces of rest) yield* inTurns(pieces)
}

async function* inTurns(pieces: readonly string[]) {
  for (const piece of pieces) {
    yield piece
    await nextTurn()
  }
}
