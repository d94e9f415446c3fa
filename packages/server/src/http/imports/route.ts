import {
  endpoints,
  type ImportSettings,
  invalid,
  largestImport,
  RequestError,
  resources,
  type TableFormat,
} from '@gatehouse-access/api'
import type { FastifyInstance } from 'fastify'
import { isAway } from '../../database/away.ts'
import { present } from '../../flow/present.ts'
import { checkImport, queueImport } from '../../services/imports/create-import.ts'
import { tooLarge, Upload } from '../../services/imports/upload.ts'
import { checkJobLimits, refuseWhenKept } from '../../services/jobs/create-job.ts'
import { etagOf } from '../../services/objects/etag.ts'
import { authenticate, requireScope } from '../api/authenticate.ts'
import {
  type Answer,
  type Asked,
  type Exchange,
  openExchange,
  type Service,
  workOf,
} from '../api/exchange.ts'
import { runOnce } from '../api/idempotency.ts'
import { send } from '../api/steps.ts'
import type { Arrivals } from '../kit/arrivals.ts'
import { queryOf } from '../kit/path-and-query.ts'
import { refuseWhenRecovered } from '../kit/recovered.ts'
import { refuseInLane } from '../kit/storage.ts'
import { boundaryOf, readForm } from './multipart.ts'
import { readSettings } from './read-settings.ts'
import { UploadPlaces } from './upload-places.ts'

/** Whoever sees jobs may ask for a dry run. An import needs more, and asks for it below. */
const asGet = present(
  endpoints.find(({ id }) => id === 'job.get'),
  'the endpoint of a job',
)
const types: Readonly<Record<string, TableFormat>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/vnd.ms-excel': 'csv',
  'text/plain': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
}
/** Room that the form itself takes around the file. */
const formRoom = 1024 * 1024
/** What an upload holds of its body at most. */
const heldBytes = 256 * 1024

/** `POST /imports`: takes a file, as it comes, and makes a job of it. */
export function addImports(
  app: FastifyInstance,
  service: Service,
  { path, arrivals }: { readonly path: string; readonly arrivals: Arrivals },
): void {
  const places = new UploadPlaces()
  app.register(async inner => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    inner.post(path, { bodyLimit: heldBytes }, async (request, reply) => {
      const exchange = openExchange(service, asGet, request, reply)
      await authenticate(exchange)
      requireScope(exchange)
      refuseWhenRecovered(service.context)
      refuseInLane(service.context, 'ordinary', request.id)
      using place = places.take(exchange.caller.organization_id)
      arrivals.prolong(request.raw, arrived => places.mayGoOn(place, arrived))
      exchange.answer = await receive(exchange)
      send(exchange)
      return reply
    })
  })
}

async function receive(exchange: Exchange): Promise<Answer> {
  const { db } = exchange.service.context
  const { request } = exchange
  if (Number(request.headers['content-length'] ?? 0) > largestImport + formRoom) throw tooLarge()
  await db.transaction(async inner => {
    const work = workOf(exchange, inner)
    await checkJobLimits(work)
    await refuseWhenKept(work, 'job_inputs')
  })
  const upload = new Upload(workOf(exchange, db))
  try {
    const { settings, format } = await readBody(request, upload)
    if (!settings.dry_run) requireWrite(exchange)
    await upload.end()
    const told = await checkImport(workOf(exchange, db), upload, settings, format)
    return await queueOnce(exchange, upload, settings, async inner => {
      const job = await queueImport(workOf(exchange, inner), upload, told)
      return { text: JSON.stringify(job), headers: { etag: etagOf(resources.job, job) } }
    })
  } catch (error) {
    // The job may have been committed without an answer. What belongs to none is removed in time.
    if (!isAway(error)) await upload.discard()
    if (request.raw.destroyed && !request.raw.complete) throw invalid('', 'the file broke off')
    throw error
  }
}

type Queue = Parameters<typeof runOnce>[2]

/** A repeat with the same key is the same request if its file and its settings are the same. */
async function queueOnce(
  exchange: Exchange,
  upload: Upload,
  settings: ImportSettings,
  queue: Queue,
): Promise<Answer> {
  const { request, service } = exchange
  const key = request.headers['idempotency-key']
  request.body = { file: upload.digest(), settings }
  if (key === undefined) return service.context.db.transaction(queue)
  const answer = await runOnce(exchange, String(key), queue)
  if (answer.headers['idempotent-replayed']) await upload.discard()
  return answer
}

async function readBody(
  request: Asked,
  upload: Upload,
): Promise<{ settings: ImportSettings; format: TableFormat }> {
  const type = request.headers['content-type'] ?? ''
  const boundary = boundaryOf(type)
  if (boundary !== undefined) return readParts(request, boundary, upload)
  const format = types[type.split(';', 1)[0]?.trim().toLowerCase() ?? '']
  if (!format) throw unsupported()
  const settings = readSettings(queryOf(request), undefined)
  for await (const piece of request.raw) await upload.take(piece)
  return { settings, format }
}

async function readParts(
  request: Asked,
  boundary: string,
  upload: Upload,
): Promise<{ settings: ImportSettings; format: TableFormat }> {
  let part: string | undefined
  let file: { filename: string | undefined; type: string | undefined } | undefined
  await readForm(request.raw, boundary, {
    onField(name, text) {
      if (name !== 'settings') throw invalid(name, `a form has the parts settings and file, not ${name}`)
      if (part !== undefined) throw invalid(name, 'a form has the part settings once')
      part = text
    },
    onFileBegin(head) {
      if (file) throw invalid('file', 'a form has one file')
      file = head
    },
    onFile: bytes => upload.take(bytes),
  })
  if (!file) throw invalid('file', 'the form has no part file')
  const settings = readSettings(queryOf(request), part)
  return {
    settings: { ...settings, file_name: settings.file_name ?? (file.filename || null) },
    format: formatOf(file),
  }
}

function formatOf({
  filename = '',
  type = '',
}: {
  filename: string | undefined
  type: string | undefined
}): TableFormat {
  if (/\.(ndjson|jsonl)$/i.test(filename)) return 'ndjson'
  if (/\.(csv|tsv|txt)$/i.test(filename) || type === '' || type === 'application/octet-stream') return 'csv'
  return types[type] ?? unsupportedNow()
}

function unsupportedNow(): never {
  throw unsupported()
}

function unsupported(): RequestError {
  return new RequestError(
    'unsupported_media_type',
    'the body must be text/csv, application/x-ndjson, or multipart/form-data with the parts settings and file',
  )
}

function requireWrite({ caller }: Exchange): void {
  if (caller.scopes.includes('full_read_write')) return
  throw new RequestError('permission_denied', 'this requires a token with the scope full_read_write', {
    args: { reason: 'scope_too_small', scope: 'full_read_write' },
  })
}
