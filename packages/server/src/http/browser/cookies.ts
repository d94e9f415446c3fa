import type { FastifyReply } from 'fastify'

export interface CookieJar {
  read(request: { readonly headers: { cookie?: string | undefined } }, name: string): string | undefined
  set(reply: FastifyReply, name: string, value: string, seconds?: number): void
  clear(reply: FastifyReply, name: string): void
}

/**
 * Cookies that scripts cannot read and that browsers do not send with forms from other sites. With https they
 * have the `__Host-` prefix, so that no other host and no plain connection can set them.
 */
export function openCookieJar(public_url: string): CookieJar {
  const is_secure = public_url.startsWith('https:')
  const fullName = (name: string) => `${is_secure ? '__Host-' : ''}gatehouse_${name}`
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${is_secure ? '; Secure' : ''}`
  return {
    read: (request, name) => readCookie(request.headers.cookie, fullName(name)),
    set(reply, name, value, seconds) {
      const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
      reply.header('set-cookie', `${fullName(name)}=${value}${attributes}${age}`)
    },
    clear(reply, name) {
      reply.header('set-cookie', `${fullName(name)}=${attributes}; Max-Age=0`)
    },
  }
}

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value && /^[\w-]{1,200}$/.test(value)) return value
  }
  return undefined
}
