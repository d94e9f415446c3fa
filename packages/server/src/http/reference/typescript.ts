import {
  type Endpoint,
  exampleBody,
  exampleId,
  exampleOf,
  type Kind,
  prefixes,
  resourceOf,
  type Transfer,
} from '@gatehouse-access/api'
import { exampleFile, exampleTarget } from './curl.ts'
import { layOut } from './json.ts'

const names = (Object.keys(prefixes) as Kind[]).map(
  kind => [new RegExp(`"${exampleId(kind)}"`, 'g'), `${kind}_id`] as const,
)

/** Returns a call of the SDK, given a client and the ids as variables. */
export function typescriptExample(endpoint: Endpoint): string {
  const { group, method } = placeOf(endpoint)
  const values = [...endpoint.params.map(({ name }) => name), ...bodyOf(endpoint), ...optionsOf(endpoint)]
  const answer = endpoint.verb === 'list' ? '{ data }' : 'answer'
  return `const ${answer} = await gatehouse.${group}.${method}(${values.join(', ')})`
}

/** The same for a stream or a file, with `fetch` where the SDK has nothing for it. */
export function typescriptTransfer(transfer: Transfer, baseUrl: string): string {
  const { group, method } = placeOf(transfer)
  const call = `gatehouse.${group}.${method}(${valuesOf(transfer).join(', ')})`
  if (transfer.in_sdk === 'loop') return `for await (const answer of ${call}) {\n  console.log(answer)\n}`
  if (transfer.in_sdk === 'call') return `const answer = await ${call}`
  return [
    `const response = await fetch('${baseUrl}${exampleTarget(transfer)}', {`,
    `  headers: { authorization: \`Bearer \${process.env.TOKEN}\` },`,
    '})',
    'const answer = await response.text()',
  ].join('\n')
}

function valuesOf(transfer: Transfer): string[] {
  const inPath = transfer.parameters.filter(parameter => parameter.in === 'path')
  const file = exampleFile(transfer)
  return [...inPath.map(({ example }) => write(example)), ...(file ? [`\`${file.text}\``] : [])]
}

/** As in the SDK: `member_pin.reveal` is `member_pins.reveal`. */
function placeOf({ id }: { readonly id: string }): { group: string; method: string } {
  const [kind = '', method = ''] = id.split('.')
  const resource = resourceOf(kind)
  const isOne = kind === 'bulk' || resource?.singleton
  return { group: isOne ? kind : (resource?.plural ?? `${kind}s`), method }
}

function bodyOf(endpoint: Endpoint): string[] {
  const example = exampleBody(endpoint) ?? {}
  return Object.keys(example).length === 0 ? [] : [write(example)]
}

function optionsOf({ query, verb }: Endpoint): string[] {
  if (verb === 'list') return ['{ limit: 3 }']
  const required = Object.entries(query).filter(([, { is_required }]) => is_required)
  if (required.length === 0) return []
  return [write(Object.fromEntries(required.map(([name, { type }]) => [name, exampleOf(type.schema)])))]
}

/** As people write it: names without quotes, ids as variables. */
function write(value: unknown): string {
  const plain = layOut(value).replace(/^(\s*|.*[{,] )"([a-z_]\w*)":/gm, '$1$2:')
  return names.reduce((text, [id, name]) => text.replace(id, name), plain)
}
