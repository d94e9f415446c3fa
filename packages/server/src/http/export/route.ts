import { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import {
  endpoints,
  invalid,
  parseListQuery,
  type Query,
  RequestError,
  resources,
} from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { FastifyInstance } from 'fastify'
import type { Row } from '../../database/db.ts'
import { present } from '../../flow/present.ts'
import { inSlices } from '../../flow/slices.ts'
import { findLiving, nameHolder } from '../../services/applications/stream-holders.ts'
import type { Caller } from '../../store/caller.ts'
import { expandObjects } from '../../store/expand.ts'
import { listObjects } from '../../store/list.ts'
import { authenticate, requireScope } from '../api/authenticate.ts'
import { openExchange, type Service } from '../api/exchange.ts'
import { exportWeight } from '../api/weigh.ts'
import { queryOf } from '../kit/path-and-query.ts'
import { isOverload } from '../turnstile/turnstile.ts'
import { csvHead, eventLine } from './csv.ts'

const page = 1000
/** Characters that are sent in one turn of the loop: the events of a page may have grown to many megabytes. */
const atOnce = 256 * 1024
const mostAttempts = 100
const formats = {
  csv: { type: 'text/csv; charset=utf-8', head: csvHead, line: eventLine },
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    line: (event: Row) => `${JSON.stringify(event)}\n`,
  },
} as const
type Format = (typeof formats)[keyof typeof formats]

/** Callers that can list events can export them. */
const asList = present(
  endpoints.find(({ id }) => id === 'event.list'),
  'the list of events',
)

/** Streams all events that match the filters of the list, page by page, to bound memory use. */
export function addExport(app: FastifyInstance, service: Service, path: string): void {
  app.get(path, async (request, reply) => {
    const exchange = openExchange(service, asList, request, reply)
    await authenticate(exchange)
    requireScope(exchange)
    const { format: name, ...rest } = queryOf(request)
    const format = name === 'csv' || name === 'ndjson' ? formats[name] : undefined
    if (!format) throw invalid('format', `format must be one of ${Object.keys(formats).join(', ')}`)
    const lines = writeLines(service, exchange.caller, rest, format)
    // The first page is read before the answer begins, so that a wrong query still gets its 400.
    const first = await lines.next()
    const stream = Readable.from(continued(first.value ?? [''], lines))
    return reply
      .headers({ 'content-disposition': `attachment; filename="events.${name}"` })
      .type(format.type)
      .send(stream)
  })
}

async function* writeLines(
  service: Service,
  caller: Caller,
  given: Query,
  format: Format,
): AsyncGenerator<readonly string[], void, undefined> {
  const { context, turnstile } = service
  const query = parseExportQuery(given)
  const reach = {
    organization_id: caller.organization_id,
    oauth_application_id: caller.oauth_application_id,
  }
  let head: string = format.head
  let cursor: string | undefined
  const readPage = () =>
    turnstile.run('ordinary', caller.organization_id, exportWeight, async () => {
      const { data, cursor_next } = await context.reader.read(async db => {
        const found = await listObjects(db, resources.event, reach, { ...query, limit: page, cursor })
        await expandObjects({ db, context }, resources.event, reach, found.data, query.expand)
        return found
      })
      const pieces = await inSlices(caller.organization_id, writePage(data, format, head))
      await requireHolder(service, caller)
      return { pieces, cursor_next }
    })
  for (;;) {
    const { pieces, cursor_next } = await (cursor ? patiently(readPage) : readPage())
    yield pieces
    head = ''
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

function* writePage(events: readonly Row[], { line }: Format, head: string): Steps<string[]> {
  const pieces: string[] = []
  let text = head
  for (const event of events) {
    text += line(event)
    if (text.length >= atOnce) {
      pieces.push(text)
      text = ''
    }
    yield
  }
  return [...pieces, text]
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
function parseExportQuery(given: Query) {
  for (const name of ['cursor', 'limit'])
    if (given[name] !== undefined) throw invalid(name, `an export has no pages: leave ${name} out`)
  return parseListQuery(resources.event, { sort: 'recorded_at:asc', ...given })
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
