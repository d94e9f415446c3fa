import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../services/objects/context.ts'
import { digestFor } from '../../vault/contexts.ts'
import type { CookieJar } from './cookies.ts'

/** Returns the token for forms. It matches this browser's cookie. Other sites cannot read or forge it. */
export function formToken(
  { vault }: Pick<Context, 'vault'>,
  cookies: CookieJar,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const held = cookies.read(request, 'form')
  const seed = held ?? randomBytes(32).toString('base64url')
  if (!held) cookies.set(reply, 'form', seed)
  return vault.digests(seed, digestFor.form_token)[0]?.toString('base64url') ?? ''
}

/** Returns whether a form was sent from a page of this service in this browser. */
export function isOwnForm(
  { vault, config }: Pick<Context, 'vault' | 'config'>,
  cookies: CookieJar,
  request: FastifyRequest,
  token: string | undefined,
): boolean {
  const { origin } = request.headers
  if (origin !== undefined && origin !== config.public_url) return false
  const seed = cookies.read(request, 'form')
  const given = Buffer.from(token ?? '', 'base64url')
  return (
    seed !== undefined &&
    vault
      .digests(seed, digestFor.form_token)
      .some(hash => hash.length === given.length && timingSafeEqual(hash, given))
  )
}
