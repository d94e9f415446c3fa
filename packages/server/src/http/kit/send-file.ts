import { Readable } from 'node:stream'
import type { JobFile } from '@gatehouse-access/api'
import type { FastifyReply } from 'fastify'

/** Sends a file that is made chunk by chunk, as the client takes it. */
export function sendFile(
  reply: FastifyReply,
  { name, bytes, media_type }: Pick<JobFile, 'name' | 'bytes' | 'media_type'>,
  chunks: AsyncIterable<Buffer>,
): FastifyReply {
  return reply
    .headers({
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': String(bytes),
      'cache-control': 'no-store',
    })
    .type(media_type)
    .send(Readable.from(chunks, { objectMode: false }))
}
