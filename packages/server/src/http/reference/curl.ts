import { type Endpoint, exampleBody, exampleId, exampleOf, type Kind, prefixes } from '@gatehouse-access/api'
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
