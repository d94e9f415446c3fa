import {
  type Endpoint,
  exampleBody,
  exampleId,
  exampleOf,
  type Kind,
  prefixes,
  type Transfer,
} from '@gatehouse-access/api'
import { layOut } from './json.ts'

const variables = (Object.keys(prefixes) as Kind[]).map(
  kind => [new RegExp(`\\b${exampleId(kind)}\\b`, 'g'), `$${kind.toUpperCase()}_ID`] as const,
)

/** Replaces ids with shell variables, since ids differ between organizations. */
function withVariables(text: string): string {
  return variables.reduce((changed, [id, variable]) => changed.replace(id, () => variable), text)
}

/** Returns a command that works when pasted, given `TOKEN` and the ids as variables. */
export function curlExample(endpoint: Endpoint, baseUrl: string): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const query = endpoint.verb === 'list' ? '?limit=3' : withVariables(requiredQuery(endpoint))
  const lines = [
    `curl ${method(endpoint)}"${baseUrl}${path}${query}"`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...body(endpoint),
  ]
  return lines.join(' \\\n')
}

/** The same for a stream or a file. A stream is shown as it comes, until it is interrupted. */
export function curlTransfer(transfer: Transfer, baseUrl: string): string {
  const isStream = 'text/event-stream' in transfer.answer.content
  const lines = [
    `curl ${isStream ? '-N ' : ''}"${baseUrl}${withVariables(exampleTarget(transfer))}"`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...(isStream ? ['  -H "Accept: text/event-stream"'] : []),
    ...file(transfer),
  ]
  return lines.join(' \\\n')
}

/** Returns the path of a transfer with example values, and what its query requires. */
export function exampleTarget({ path, parameters }: Transfer): string {
  const needed = parameters.filter(({ required }) => required)
  const filled = needed
    .filter(parameter => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
  const asked = needed.filter(parameter => parameter.in === 'query')
  const query = asked.map(({ name, example }) => `${name}=${example}`).join('&')
  return query === '' ? filled : `${filled}?${query}`
}

function file(transfer: Transfer): string[] {
  const found = exampleFile(transfer)
  if (!found) return []
  return [`  -H "Content-Type: ${found.type}"`, `  --data-binary @- <<'FILE'\n${found.text}FILE`]
}

/** Returns the file that a transfer takes, as people type it. */
export function exampleFile({ body = {} }: Transfer): { type: string; text: string } | undefined {
  const [first] = Object.entries(body)
  return first && { type: first[0], text: String(first[1].example).replaceAll('\r\n', '\n') }
}

/** Returns the example values of parameters without which an endpoint answers nothing. */
export function requiredQuery({ query }: Endpoint): string {
  const required = Object.entries(query).filter(([, { is_required }]) => is_required)
  const given = required.map(([name, { type }]) => `${name}=${exampleOf(type.schema)}`)
  return given.length > 0 ? `?${given.join('&')}` : ''
}

/** Omits the method where curl implies it: `--json` sends a POST. */
function method(endpoint: Endpoint): string {
  const isImplied = endpoint.method === 'GET' || (endpoint.method === 'POST' && body(endpoint).length > 0)
  return isImplied ? '' : `-X ${endpoint.method} `
}

function body(endpoint: Endpoint): string[] {
  const example = exampleBody(endpoint) ?? {}
  if (Object.keys(example).length === 0) return []
  const plain = layOut(example)
  if (withVariables(plain) === plain) return [`  --json '${plain}'`]
  // The shell replaces the variables, but no reference such as $ada.id of a bulk request.
  return [`  --json @- <<JSON\n${withVariables(plain.replaceAll('$', '\\$'))}\nJSON`]
}
