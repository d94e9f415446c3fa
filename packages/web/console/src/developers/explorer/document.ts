import { t } from '../../language/t.ts'
/** The part of the OpenAPI document that the explorer reads. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema?: { readonly type?: unknown; readonly enum?: readonly string[] }
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  /** An example of the request body. Undefined if the operation takes no body. */
  readonly body: string | undefined
}

interface RawOperation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json'?: { readonly example?: unknown } }
  }
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> }
}

const methods = ['get', 'post', 'patch', 'put', 'delete']

export function operationsOf(document: OpenApi): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, entry]) =>
    methods.flatMap(method => {
      const raw = entry[method]
      return raw ? [operationOf(document, method, path, raw)] : []
    }),
  )
}

function operationOf(document: OpenApi, method: string, path: string, raw: RawOperation): Operation {
  const example = raw.requestBody?.content['application/json']?.example
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    tag: raw.tags?.[0] ?? t('Other'),
    summary: raw.summary ?? raw.operationId,
    description: raw.description ?? '',
    parameters: (raw.parameters ?? []).flatMap(given => resolve(document, given) ?? []),
    body: raw.requestBody ? JSON.stringify(example ?? {}, null, 2) : undefined,
  }
}

function resolve(document: OpenApi, given: Parameter | { readonly $ref: string }): Parameter | undefined {
  if (!('$ref' in given)) return given
  return document.components.parameters?.[given.$ref.split('/').at(-1) as string]
}
