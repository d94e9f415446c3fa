import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebFile } from './files.ts'

/** Files with a hash in their name never change. All others are revalidated, which costs a 304. */
export const forever = 'public, max-age=31536000, immutable'
export const revalidated = 'no-cache'

export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  reply.headers({ vary: 'accept-encoding', etag: file.etag, ...headers })
  if (request.headers['if-none-match']?.includes(file.etag)) return reply.status(304).send()
  const { bytes, encoding } = chooseEncoding(file, String(request.headers['accept-encoding'] ?? ''))
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(file.type).send(bytes)
}

function chooseEncoding(file: WebFile, accepted: string): { bytes: Buffer; encoding?: string } {
  if (file.br && /\bbr\b/.test(accepted)) return { bytes: file.br, encoding: 'br' }
  if (file.gz && /\bgzip\b/.test(accepted)) return { bytes: file.gz, encoding: 'gzip' }
  return { bytes: file.bytes }
}
