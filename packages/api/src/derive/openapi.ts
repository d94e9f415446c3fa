import { endpoints } from '../endpoints.ts'
import type { Resource } from '../kit/resource.ts'
import type { JsonSchema } from '../kit/type.ts'
import { resources } from '../resources/index.ts'
import { createSchema, editSchema } from './bodies.ts'
import { conventionsInMarkdown } from './openapi/conventions.ts'
import { errorsOf } from './openapi/errors.ts'
import { tagOf } from './openapi/names.ts'
import { operationOf, sharedParameters } from './openapi/operations.ts'
import { errorResponses, errorSchema, headers } from './openapi/responses.ts'
import {
  answeredName,
  closed,
  expandedSchema,
  objectSchema,
  pageSchema,
  revealedSchema,
} from './openapi/schemas.ts'
import { securitySchemes } from './openapi/security.ts'
import { transferPaths } from './openapi/transfer-paths.ts'
import { listTransfers } from './openapi/transfers.ts'

export { spell, withArticle } from '../kit/words.ts'
export { type Chapter, conventions } from './openapi/conventions.ts'
export { errorsOf, exampleError } from './openapi/errors.ts'
export { exampleId, exampleOf } from './openapi/example-values.ts'
export { exampleAnswer, exampleBody, exampleObject, exampleUntil } from './openapi/examples.ts'
export { listOperations, type Operation, toOperation } from './openapi/listed-operations.ts'
export { tagOf, titleOf } from './openapi/names.ts'
export { bodySchema } from './openapi/operations.ts'
export { expandsOf, type Parameter, parametersOf } from './openapi/parameters.ts'
export { objectSchema } from './openapi/schemas.ts'
export type { Transfer } from './openapi/transfers/transfer.ts'
export { listTransfers } from './openapi/transfers.ts'
export { toOpenApi30 } from './openapi/version-3-0.ts'

export type OpenApi = Record<string, unknown>

const all: readonly Resource[] = Object.values(resources)

/** Returns the API as an OpenAPI 3.1 document, derived from the declarations, so always up to date. */
export function openApi(baseUrl: string): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse API',
      version: '2.0',
      summary: 'Access control for buildings: who can open what, and when.',
      description: conventionsInMarkdown(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This service.' }],
    tags: all.filter(isServed).map(resource => ({ name: tagOf(resource), description: resource.about })),
    paths: paths(),
    components: {
      schemas: schemas(),
      parameters: sharedParameters(endpoints),
      headers,
      responses: errorResponses([...endpoints.map(errorsOf), ...listTransfers().map(({ errors }) => errors)]),
      securitySchemes: securitySchemes(baseUrl.replace(/\/v2$/, '')),
    },
  }
}

function isServed(resource: Resource): boolean {
  return endpoints.some(endpoint => endpoint.resource === resource)
}

function paths(): Record<string, object> {
  const byPath = Map.groupBy(endpoints, endpoint => endpoint.path)
  const described = [...byPath].map(([path, group]) => [
    path,
    Object.fromEntries(group.map(endpoint => [endpoint.method.toLowerCase(), operationOf(endpoint)])),
  ])
  return { ...Object.fromEntries(described), ...transferPaths() }
}

function isPaged({ kind, verbs }: Resource): boolean {
  const isComputed = endpoints.some(
    ({ answer }) => typeof answer === 'object' && 'page_of' in answer && answer.page_of === kind,
  )
  return isComputed || verbs.includes('list')
}

function schemas(): Record<string, JsonSchema> {
  return Object.assign({ error: errorSchema }, ...all.map(schemasOf))
}

function schemasOf(resource: Resource): Record<string, JsonSchema> {
  const { kind, verbs, reveals } = resource
  return {
    [kind]: objectSchema(resource),
    [answeredName(resource)]: expandedSchema(resource),
    ...(reveals && { [`${kind}_revealed`]: revealedSchema(resource) }),
    ...(isPaged(resource) && { [`${kind}_page`]: pageSchema(resource) }),
    ...(verbs.includes('create') && { [`${kind}_create`]: closed(createSchema(resource)) }),
    ...(verbs.includes('edit') && { [`${kind}_edit`]: closed(editSchema(resource), true) }),
  }
}
