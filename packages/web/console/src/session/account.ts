import { ApiError, ConnectionError } from '@gatehouse-access/sdk'

export type AccountMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Calls `/account`, which covers the user's own data rather than an organization's objects. */
export async function callAccount<T>(
  method: AccountMethod,
  path: string,
  body?: object,
  csrf_token?: string,
): Promise<T> {
  const headers = {
    accept: 'application/json',
    ...(csrf_token && { 'x-csrf-token': csrf_token }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const response = await ask(`/account${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
  const answer = await response.json().catch(() => undefined)
  if (!response.ok || answer === undefined) throw new ApiError(response, answer)
  return answer as T
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (cause) {
    throw new ConnectionError(`${init.method} ${url} got no answer`, { cause })
  }
}
