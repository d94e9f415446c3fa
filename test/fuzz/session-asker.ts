import type { Visitor } from '../oauth/visitor.ts'
import type { Ask } from '../properties/ask.ts'

/** Sends requests as the console does: with a session's cookies and its CSRF token. */
export async function sessionAsker(visitor: Visitor, headers: Record<string, string> = {}): Promise<Ask> {
  const { body } = await visitor.account<{ csrf_token: string }>('GET', '/account/session')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return async question => {
    const response = await fetch(`${visitor.url}${question.path}`, {
      method: question.method,
      headers: {
        ...headers,
        cookie,
        'x-csrf-token': body.csrf_token,
        ...(question.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(question.body !== undefined && { body: JSON.stringify(question.body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}
