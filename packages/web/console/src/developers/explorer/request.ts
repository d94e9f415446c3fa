import type { Operation } from './document.ts'

/** The values entered, by parameter name. */
export type Filled = Readonly<Record<string, string>>

export interface Ready {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export function readyRequest(operation: Operation, filled: Filled, body: string): Ready {
  const given = operation.parameters.filter(({ name }) => filled[name])
  const query = new URLSearchParams(
    given.filter(parameter => parameter.in === 'query').map(({ name }) => [name, filled[name] as string]),
  ).toString()
  const path = operation.path.replace(/\{(\w+)\}/g, (whole, name) =>
    filled[name] ? encodeURIComponent(filled[name]) : whole,
  )
  return {
    method: operation.method,
    path: `/v2${path}${query && `?${query}`}`,
    headers: Object.fromEntries(
      given
        .filter(parameter => parameter.in === 'header')
        .map(({ name }) => [name.toLowerCase(), filled[name] as string]),
    ),
    body: operation.body === undefined ? undefined : body,
  }
}

/** Returns the names of the required parameters that are still empty. */
export function missingOf({ parameters }: Operation, filled: Filled): readonly string[] {
  return parameters.filter(({ name, required }) => required && !filled[name]).map(({ name }) => name)
}

/** Returns the same request as a curl command, with a token in place of the session. */
export function curlLine(origin: string, { method, path, headers, body }: Ready): string {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(origin + path)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quote(compact(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function compact(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}
